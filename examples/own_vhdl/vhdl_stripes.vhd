-- Address translation of an OPTWEB node in VHDL: Pa(i) = Ra + 2K*i for pieces that lie in their stripe. Pins and timing are
-- those of Weft's rtl/optweb/stripe_address.sv, whose header is the data sheet.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity vhdl_stripes is
  generic (stripes : positive := 16);  -- of 2 x 256 MiB
  port (
    clk_i            : in  std_logic;
    rst_ni           : in  std_logic;
    req_valid_i      : in  std_logic;
    req_base_i       : in  std_logic_vector(39 downto 0);
    req_size_i       : in  std_logic_vector(39 downto 0);
    req_index_i      : in  std_logic_vector(7 downto 0);
    rsp_valid_o      : out std_logic;
    rsp_address_o    : out std_logic_vector(39 downto 0);
    rsp_interfaces_o : out std_logic_vector(1 downto 0);
    rsp_range_o      : out std_logic;
    rsp_overlap_o    : out std_logic);
end entity;

architecture rtl of vhdl_stripes is
  constant stripe : unsigned(40 downto 0) := (29 => '1', others => '0');  -- 2K: 2**29 bytes
  constant half   : unsigned(40 downto 0) := (28 => '1', others => '0');
begin
  process (clk_i)
    variable base, last     : unsigned(40 downto 0);
    variable range_error    : boolean;
    variable overlap, piece : boolean;
  begin
    if rising_edge(clk_i) then
      rsp_valid_o      <= '0';
      rsp_address_o    <= (others => '0');
      rsp_interfaces_o <= "00";
      rsp_range_o      <= '0';
      rsp_overlap_o    <= '0';
      if rst_ni = '1' and req_valid_i = '1' then
        base        := resize(unsigned(req_base_i), 41);
        last        := base + unsigned(req_size_i);  -- behind its last byte
        range_error := unsigned(req_index_i) >= stripes or base >= stripe;
        overlap     := not range_error and last > stripe;
        piece       := unsigned(req_size_i) /= 0;
        rsp_valid_o <= '1';
        if range_error then
          rsp_range_o <= '1';
        elsif overlap then
          rsp_overlap_o <= '1';
        else
          rsp_address_o <= std_logic_vector(unsigned(req_base_i) +
                                            (resize(unsigned(req_index_i), 40) sll 29));
          if piece and last > half then
            rsp_interfaces_o(1) <= '1';
          end if;
          if piece and base < half then
            rsp_interfaces_o(0) <= '1';
          end if;
        end if;
      end if;
    end if;
  end process;
end architecture;

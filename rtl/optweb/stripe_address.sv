/// Striped placement of data over memory interfaces: Pa(i) = Ra + 2K*i. A memory I/O has two interfaces of K bytes;
/// stripe i is the 2K bytes from 2K*i on, and Ra is where a piece begins within its stripe. Pieces that do not lie in
/// their stripe are errors. C++ twin: sc_models/algorithms/optweb/stripe_address.h, bit exact. Source: OPTWEB paper (Mizutani et
/// al., IEEE Trans. Computers 70(6), 2021), section 3.3, equation 1.
///
/// Timing     the answer comes one cycle after the request; one request per cycle.
/// Errors     rsp_range_o: there is no stripe i, or Ra >= 2K. rsp_overlap_o: the piece ends beyond its stripe, in the
///            next one or behind the memory. Never both; address and interfaces are 0 with either.
/// Corners    a piece of no bytes is legal and touches no interface; one may fill its stripe. Stripes and Capacity need
///            not be powers of two.
/// Reset      nothing answered. Without an answer all outputs are 0.
/// Resources  AddrW + 5 flip-flops; figures in docs/optweb_rtl.md.
/// Proven     rtl/optweb/stripe_address_formal.svh.
module stripe_address #(
  parameter int unsigned Stripes  = 16,             ///< memory I/Os, 1..64
  parameter int unsigned Capacity = 32'h1000_0000,  ///< K: bytes of an interface, 1..2**31
  parameter int unsigned AddrW    = 33,             ///< bits of addresses and sizes, 2..40; 2K*Stripes <= 2**AddrW
  parameter int unsigned IndexW   = 6               ///< bits of a stripe's number, 1..8
) (
  input  logic              clk_i,
  input  logic              rst_ni,            ///< active low, synchronous
  input  logic              req_valid_i,
  input  logic [AddrW-1:0]  req_base_i,        ///< Ra
  input  logic [AddrW-1:0]  req_size_i,        ///< bytes
  input  logic [IndexW-1:0] req_index_i,       ///< i
  output logic              rsp_valid_o,
  output logic [AddrW-1:0]  rsp_address_o,     ///< Pa(i)
  output logic [1:0]        rsp_interfaces_o,  ///< holds bytes of the piece: bit 0 the lower K bytes, bit 1 the upper
  output logic              rsp_range_o,
  output logic              rsp_overlap_o
);

  // Parameters out of range are refused at elaboration.
  if ((Stripes < 1) || (Stripes > 64)) $error("stripe_address: Stripes must be 1..64");
  if ((Capacity < 1) || (Capacity > 32'h8000_0000)) $error("stripe_address: Capacity must be 1..2**31");
  if ((AddrW < 2) || (AddrW > 40)) $error("stripe_address: AddrW must be 2..40");
  if ((IndexW < 1) || (IndexW > 8)) $error("stripe_address: IndexW must be 1..8");
  if (64'(Stripes) * 64'(Capacity) * 64'd2 > (64'd1 << AddrW))
    $error("stripe_address: 2 * Capacity * Stripes must be at most 2**AddrW");

  // Sums of two addresses, and constants up to 2**32.
  localparam int unsigned SumW = ((AddrW > 33) ? AddrW : 33) + 1;
  localparam logic [SumW-1:0] Half   = SumW'(Capacity);
  localparam logic [SumW-1:0] Stripe = SumW'(Capacity) << 1;

  logic [SumW-1:0]  base;
  logic [SumW-1:0]  last;  // behind the last byte
  logic             range;
  logic             overlap;
  logic             fits;
  logic [AddrW-1:0] address;
  logic             some;
  assign base    = SumW'(req_base_i);
  assign last    = base + SumW'(req_size_i);
  assign range   = (32'(req_index_i) >= Stripes) || (base >= Stripe);
  assign overlap = !range && (last > Stripe);
  assign fits    = !range && !overlap;
  assign some    = req_size_i != '0;

  // Numbers that are too large are errors, so the sum may wrap.
  assign address = req_base_i + AddrW'(AddrW'(req_index_i) * AddrW'(Stripe));

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !req_valid_i) begin
      rsp_valid_o      <= 1'b0;
      rsp_address_o    <= '0;
      rsp_interfaces_o <= '0;
      rsp_range_o      <= 1'b0;
      rsp_overlap_o    <= 1'b0;
    end else begin
      rsp_valid_o      <= 1'b1;
      rsp_address_o    <= fits ? address : '0;
      rsp_interfaces_o <= (fits && some) ? {last > Half, base < Half} : 2'b00;
      rsp_range_o      <= range;
      rsp_overlap_o    <= overlap;
    end
  end

`ifndef SYNTHESIS
  a_quiet: assert property (@(posedge clk_i) disable iff (!rst_ni) !rsp_valid_o |->
                            (rsp_address_o == '0) && !rsp_range_o && !rsp_overlap_o);
  a_one:   assert property (@(posedge clk_i) disable iff (!rst_ni) !(rsp_range_o && rsp_overlap_o));
  a_error: assert property (@(posedge clk_i) disable iff (!rst_ni) (rsp_range_o || rsp_overlap_o) |->
                            (rsp_address_o == '0) && (rsp_interfaces_o == '0));
`endif
`ifdef FORMAL
  `include "stripe_address_formal.svh"
`endif
`ifdef COVERAGE
  `include "stripe_address_cover.svh"
`endif
endmodule

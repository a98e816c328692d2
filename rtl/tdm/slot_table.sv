/// Double-buffered slot table of one FiC switch. A column holds, for one slot, the entry {valid, in_port, in_slot} of
/// every output port: the input register whose word the output sends in that slot, or idle. The active table is read
/// by the network-wide slot counter while the host writes the shadow table column by column; a swap exchanges them at
/// a frame boundary. C++ twin: sc_models/algorithms/slots/slot_table.h. Source: FiC paper, section III.F.
///
/// Timing     column_o is combinational in slot_i. A write (cfg_*) takes effect at the end of its cycle.
///            swap_i in cycle t sets swap_pending_o from t+1 on. The first cycle after t with slot_i == 0 is the swap
///            cycle: column_o already comes from the new table, swapped_o is high, swap_pending_o is still high.
/// Corners    swap_i in a slot-0 cycle waits for the next frame, also in the swap cycle itself (it then asks for the
///            swap back). swap_i while pending has no further effect. A write in the swap cycle goes to the table
///            retired in that cycle. Slots need not be a power of two, nor the frame as long as Slots: a slot that the
///            counter never reaches is never read. Each table has 2**SlotW columns, so every slot number is legal.
/// Reset      all entries of both tables are idle. Only one bit per column ("written since reset") is reset, so the
///            entries themselves fit distributed RAM (2 * 2**SlotW columns, one write and one read port).
/// Resources  2 * 2**SlotW + 2 flip-flops and the RAM; figures in rtl/README.md.
/// Proven     rtl/tdm/slot_table_formal.svh.
module slot_table #(
  parameter int unsigned Ports = 5,   ///< ports of the switch, 1..64
  parameter int unsigned Slots = 32,  ///< largest frame, 2..256 slots
  localparam int unsigned PortW  = (Ports > 1) ? $clog2(Ports) : 1,
  localparam int unsigned SlotW  = $clog2(Slots),
  localparam int unsigned EntryW = 1 + PortW + SlotW  ///< {valid, in_port, in_slot}
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,        ///< active low, synchronous
  input  logic [SlotW-1:0]        slot_i,        ///< network-wide slot counter; 0 begins a frame
  input  logic                    cfg_we_i,      ///< write a column of the shadow table
  input  logic [SlotW-1:0]        cfg_slot_i,
  input  logic [Ports*EntryW-1:0] cfg_column_i,  ///< entry of output o at [o*EntryW +: EntryW]
  input  logic                    swap_i,        ///< pulse: exchange the tables at the next frame boundary
  output logic                    swap_pending_o,
  output logic                    swapped_o,     ///< first cycle (slot 0) of the new table
  output logic [Ports*EntryW-1:0] column_o       ///< column of slot_i in the active table
);

  // Parameters out of range are refused at elaboration.
  if ((Ports < 1) || (Ports > 64)) $error("slot_table: Ports must be 1..64");
  if ((Slots < 2) || (Slots > 256)) $error("slot_table: Slots must be 2..256");

  localparam int unsigned Columns = 2 ** (SlotW + 1);

  logic [Ports*EntryW-1:0] mem_q [0:Columns-1];  // address {bank, slot}
  logic [Columns-1:0]      written_q;            // column written since reset; otherwise all its entries are idle
  logic                    bank_q;
  logic                    pending_q;

  logic             swap_now;
  logic             bank;  // active in this cycle
  logic [SlotW:0]   read_address;
  logic [SlotW:0]   write_address;

  assign swap_now       = pending_q && (slot_i == '0);
  assign bank           = bank_q ^ swap_now;
  assign read_address   = {bank, slot_i};
  assign write_address  = {!bank, cfg_slot_i};
  assign swap_pending_o = pending_q;
  assign swapped_o      = swap_now;
  assign column_o       = written_q[read_address] ? mem_q[read_address] : '0;

  always_ff @(posedge clk_i) begin
    if (cfg_we_i) mem_q[write_address] <= cfg_column_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      written_q <= '0;
      bank_q    <= 1'b0;
      pending_q <= 1'b0;
    end else begin
      if (cfg_we_i) written_q[write_address] <= 1'b1;
      bank_q    <= bank;
      pending_q <= swap_i || (pending_q && !swap_now);
    end
  end

`ifndef SYNTHESIS
  a_boundary: assert property (@(posedge clk_i) disable iff (!rst_ni) swapped_o |-> (slot_i == '0) && swap_pending_o);
  a_request:  assert property (@(posedge clk_i) disable iff (!rst_ni) swap_i |=> swap_pending_o);
  a_bank:     assert property (@(posedge clk_i) disable iff (!rst_ni) !swapped_o |=> $stable(bank_q));
`endif
`ifdef FORMAL
  `include "slot_table_formal.svh"
`endif
`ifdef COVERAGE
  `include "slot_table_cover.svh"
`endif
endmodule

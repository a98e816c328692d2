/// One table of the two-table arbiter of InfiniBand (ib_arbiter.sv): entries of {SL, weight} that are cycled through. An
/// entry sends while it has weight left; the last message of a turn may be larger than what is left, and what it took too much is
/// not remembered. An entry whose SL is inactive loses the rest of its turn when the table is served next.
///
/// Timing     any_o and sl_o are combinational in active_i; registers change at the end of a cycle with serve_i.
/// Table      written through cfg_*, one entry per cycle. An entry counts from its next turn on; in the cycle of the write
///            the old one counts. Entries of weight 0, or of an SL >= NumSl, are skipped.
/// Reset      all entries have weight 0, the first turn is that of entry 0. Weights have no reset.
/// Resources  NumEntries * (1 + SlW + WeightW) + WeightW + EntryW + SlW flip-flops, or the weights in RAM.
/// Proven     rtl/packet/arbitration_table_formal.svh.
module arbitration_table #(
  parameter int unsigned NumSl      = 16,  ///< service levels, 2..32
  parameter int unsigned NumEntries = 64,  ///< 1..64
  parameter int unsigned WeightW    = 8,   ///< bits of a weight, 1..32
  parameter int unsigned SizeW      = 6,   ///< bits of a message size, 1..32
  localparam int unsigned SlW    = $clog2(NumSl),
  localparam int unsigned EntryW = (NumEntries > 1) ? $clog2(NumEntries) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,        ///< active low, synchronous
  input  logic               cfg_we_i,
  input  logic [EntryW-1:0]  cfg_index_i,   ///< NumEntries and above: nothing is written
  input  logic [SlW-1:0]     cfg_sl_i,
  input  logic [WeightW-1:0] cfg_weight_i,  ///< credits
  input  logic [NumSl-1:0]   active_i,
  output logic               any_o,         ///< an entry of an active SL is there
  output logic [SlW-1:0]     sl_o,          ///< SL whose turn it is, with any_o
  input  logic               serve_i,       ///< its message goes, only with any_o
  input  logic [SizeW-1:0]   size_i         ///< credits of that message
);

  // Parameters out of range are refused at elaboration.
  if ((NumSl < 2) || (NumSl > 32)) $error("arbitration_table: NumSl must be 2..32");
  if ((NumEntries < 1) || (NumEntries > 64)) $error("arbitration_table: NumEntries must be 1..64");
  if ((WeightW < 1) || (WeightW > 32)) $error("arbitration_table: WeightW must be 1..32");
  if ((SizeW < 1) || (SizeW > 32)) $error("arbitration_table: SizeW must be 1..32");

  localparam int unsigned LevelW = 2 ** SlW;  // SL numbers that an entry can hold
  localparam int unsigned FromW  = $clog2(NumEntries + 1);
  localparam int unsigned WideW  = (WeightW > SizeW) ? WeightW : SizeW;

  logic [SlW-1:0]        sl_q     [0:NumEntries-1];
  logic [WeightW-1:0]    weight_q [0:NumEntries-1];
  logic [NumEntries-1:0] positive_q;  // entry has a positive weight, so it has been written
  logic [EntryW-1:0]     entry_q;     // whose turn it is
  logic [SlW-1:0]        turn_sl_q;   // its SL, when the turn began
  logic [WeightW-1:0]    left_q;      // of its weight

  logic [LevelW-1:0] active;  // SLs that do not exist are inactive
  assign active = LevelW'(active_i);

  // The turn goes on, or that of the next entry of an active SL begins.
  logic live;
  assign live = (left_q != '0) && active[turn_sl_q];
  logic [NumEntries-1:0] candidate;
  logic [NumEntries-1:0] next_onehot;
  logic [EntryW-1:0]     next_entry;
  for (genvar e = 0; e < NumEntries; e = e + 1) begin : gen_entry
    assign candidate[e] = positive_q[e] && active[sl_q[e]];
  end
  round_robin #(.Requests(NumEntries)) u_next (
    .request_i(candidate), .from_i(FromW'(entry_q) + FromW'(1)), .grant_o(next_onehot)
  );
  onehot_index #(.Bits(NumEntries)) u_index (.onehot_i(next_onehot), .index_o(next_entry));

  logic [WeightW-1:0] available;
  logic [WeightW-1:0] left_d;
  assign any_o     = live || (candidate != '0);
  assign sl_o      = live ? turn_sl_q : sl_q[next_entry];
  assign available = live ? left_q : weight_q[next_entry];
  assign left_d    = (WideW'(available) > WideW'(size_i)) ? available - WeightW'(size_i) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      entry_q   <= EntryW'(NumEntries - 1);
      turn_sl_q <= '0;
      left_q    <= '0;
    end else if (serve_i) begin
      left_q <= left_d;
      if (!live) begin
        entry_q   <= next_entry;
        turn_sl_q <= sl_o;
      end
    end
  end

  logic write;
  assign write = cfg_we_i && rst_ni && (32'(cfg_index_i) < NumEntries);
  always_ff @(posedge clk_i) begin
    if (write) begin
      sl_q[cfg_index_i]     <= cfg_sl_i;
      weight_q[cfg_index_i] <= cfg_weight_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) positive_q <= '0;
    else if (write) positive_q[cfg_index_i] <= cfg_weight_i != '0;
  end

`ifndef SYNTHESIS
  a_serve:  assert property (@(posedge clk_i) disable iff (!rst_ni) serve_i |-> any_o);
  a_active: assert property (@(posedge clk_i) disable iff (!rst_ni) any_o |-> active[sl_o]);
`endif
`ifdef FORMAL
  `include "arbitration_table_formal.svh"
`endif
`ifdef COVERAGE
  `include "arbitration_table_cover.svh"
`endif
endmodule

/// Deficit Table egress scheduler of one output port: which service level (SL) sends its head message next. A table of
/// {SL, weight} entries is cycled through; the selected SL sends while its accumulated weight covers its head message,
/// what is left becomes its deficit, and an SL that is inactive at a decision loses both. C++ twin:
/// sc_models/algorithms/qos/deficit_table.h, which gives the same decisions to the same inputs. Source: Martinez, Alfaro, Sanchez,
/// "Providing QoS with the Deficit Table Scheduler", IEEE TPDS 2009.
///
/// Timing     grant_o and grant_sl_o are combinational in decide_i, active_i and size_i: one decision per cycle, whatever
///            the length of the table. A decision either goes on with the selected SL or selects the next entry of an
///            active SL; it ends without a grant when that entry's weight does not cover the message yet. Registers
///            change at the end of the cycle. Without decide_i the outputs are 0 and active_i is not looked at: a
///            message that is still leaving keeps the state of its SL. So decide_i is set in every cycle in which the
///            link is free for a next message, also when no SL is active.
/// Table      written through cfg_*, one entry per cycle, also while deciding: an entry counts from its next selection
///            on; in the cycle of the write the old one counts. Entries of weight 0, or of an SL >= NumSl, are skipped.
/// Counters   CountW bits; they saturate and saturated_o says so in that cycle. With
///            CountW >= max(WeightW, SizeW) + 1 they never do. A message of 2**CountW credits or more is never sent.
/// Corners    no entry of an active SL: no grant, however long. size_i is not looked at for inactive SLs. Decisions
///            during reset are not granted.
/// Reset      nothing is selected, deficits are 0, all entries have weight 0, the first search begins at entry 0. Only
///            one bit per entry ("weight is positive") is reset, so the weights fit distributed RAM.
/// Resources  NumEntries * (1 + SlW + WeightW) + NumSl * CountW + CountW + EntryW + SlW + 1 flip-flops, or the weights
///            in RAM; figures in docs/qos_rtl.md.
/// Proven     rtl/packet/dtable_formal.svh.
module dtable #(
  parameter int unsigned NumSl      = 16,  ///< service levels, 2..32
  parameter int unsigned NumEntries = 64,  ///< entries of the table, 1..128
  parameter int unsigned WeightW    = 8,   ///< bits of an entry's weight, 1..32
  parameter int unsigned SizeW      = 6,   ///< bits of a message size, 1..32
  parameter int unsigned CountW     = 9,   ///< bits of accumulated weight and deficits, 1..33
  localparam int unsigned SlW    = $clog2(NumSl),
  localparam int unsigned EntryW = (NumEntries > 1) ? $clog2(NumEntries) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,          ///< active low, synchronous
  input  logic                   cfg_we_i,        ///< write an entry
  input  logic [EntryW-1:0]      cfg_index_i,     ///< NumEntries and above: nothing is written
  input  logic [SlW-1:0]         cfg_sl_i,
  input  logic [WeightW-1:0]     cfg_weight_i,    ///< credits
  input  logic                   decide_i,        ///< the link is free for a next message
  input  logic [NumSl-1:0]       active_i,        ///< has a message, and credits for all of it
  input  logic [NumSl*SizeW-1:0] size_i,          ///< credits of the head message of SL s at [s*SizeW +: SizeW], > 0
  output logic                   grant_o,
  output logic [SlW-1:0]         grant_sl_o,      ///< 0 without a grant
  output logic                   saturated_o      ///< this selection's weight and deficit do not fit the counter
);

  // Parameters out of range are refused at elaboration.
  if ((NumSl < 2) || (NumSl > 32)) $error("dtable: NumSl must be 2..32");
  if ((NumEntries < 1) || (NumEntries > 128)) $error("dtable: NumEntries must be 1..128");
  if ((WeightW < 1) || (WeightW > 32)) $error("dtable: WeightW must be 1..32");
  if ((SizeW < 1) || (SizeW > 32)) $error("dtable: SizeW must be 1..32");
  if ((CountW < 1) || (CountW > 33)) $error("dtable: CountW must be 1..33");

  localparam int unsigned LevelW = 2 ** SlW;  // SL numbers that an entry can hold
  localparam int unsigned SumW   = ((CountW > WeightW) ? CountW : WeightW) + 1;
  localparam int unsigned WideW  = (SumW > SizeW) ? SumW : SizeW;
  // A selection finds a deficit smaller than a message: with this width the sum always fits.
  localparam bit NeverFull = (CountW > WeightW) && (CountW > SizeW);

  logic [SlW-1:0]        sl_q     [0:NumEntries-1];
  logic [WeightW-1:0]    weight_q [0:NumEntries-1];
  logic [NumEntries-1:0] positive_q;  // entry has a positive weight, so it has been written
  logic [NumSl*CountW-1:0] deficit_q;
  logic [CountW-1:0]     accumulated_q;
  logic [EntryW-1:0]     entry_q;        // selected last
  logic [SlW-1:0]        selected_sl_q;  // its SL, when it was selected
  logic                  selected_q;

  // Vectors over SLs as wide as an SL number can say; SLs that do not exist are inactive.
  logic [LevelW-1:0]        active;
  logic [LevelW*SizeW-1:0]  sizes;
  logic [LevelW*CountW-1:0] deficits;
  assign active   = LevelW'(active_i);
  assign sizes    = (LevelW*SizeW)'(size_i);
  assign deficits = (LevelW*CountW)'(deficit_q);

  // The selected SL goes on, when its accumulated weight covers its head message.
  logic             live;  // selected and still active
  logic [SizeW-1:0] selected_size;
  logic             covers;
  assign live          = selected_q && active[selected_sl_q];
  assign selected_size = sizes[selected_sl_q*SizeW +: SizeW];
  assign covers        = live && (WideW'(accumulated_q) >= WideW'(selected_size));

  // Else the next entry of an active SL: the first one above entry_q, or the first of all.
  logic [NumEntries-1:0] candidate;
  logic [NumEntries-1:0] above;
  logic [NumEntries-1:0] first_from;
  logic [NumEntries-1:0] next_onehot;
  logic [EntryW-1:0]     next_entry;
  logic                  found;
  for (genvar e = 0; e < NumEntries; e = e + 1) begin : gen_entry
    assign candidate[e] = positive_q[e] && active[sl_q[e]];
  end
  assign above       = candidate & ({NumEntries{1'b1}} << entry_q << 1);
  assign first_from  = (above != '0) ? above : candidate;
  assign next_onehot = first_from & (~first_from + NumEntries'(1));
  assign found       = candidate != '0;
  onehot_index #(.Bits(NumEntries)) u_next (.onehot_i(next_onehot), .index_o(next_entry));

  logic [SlW-1:0]    next_sl;
  logic [CountW-1:0] next_deficit;
  logic [SumW-1:0]   next_sum;
  logic              overflow;
  logic [CountW-1:0] next_accumulated;
  logic [SizeW-1:0]  next_size;
  logic              next_covers;
  assign next_sl          = sl_q[next_entry];
  assign next_deficit     = (live && (selected_sl_q == next_sl)) ? accumulated_q
                                                                 : deficits[next_sl*CountW +: CountW];
  assign next_sum         = SumW'(weight_q[next_entry]) + SumW'(next_deficit);
  assign overflow         = (next_sum >> CountW) != '0;
  assign next_accumulated = overflow ? '1 : CountW'(next_sum);
  assign next_size        = sizes[next_sl*SizeW +: SizeW];
  assign next_covers      = WideW'(next_accumulated) >= WideW'(next_size);

  logic decide;
  logic move;  // selects the next entry
  logic [SlW-1:0]    sl;
  logic [CountW-1:0] available;
  logic [SizeW-1:0]  size;
  logic [CountW-1:0] accumulated_d;
  assign decide      = decide_i && rst_ni;
  assign move        = decide && !covers && found;
  assign grant_o     = decide && (covers || (found && next_covers));
  assign sl          = covers ? selected_sl_q : next_sl;
  assign available   = covers ? accumulated_q : next_accumulated;
  assign size        = covers ? selected_size : next_size;
  assign grant_sl_o  = grant_o ? sl : '0;
  assign saturated_o = move && overflow;
  // The difference cannot be negative with a grant.
  assign accumulated_d = !decide ? accumulated_q : available - (grant_o ? CountW'(size) : '0);

  logic selected_d;
  assign selected_d = decide ? (covers || found) : selected_q;

  for (genvar s = 0; s < NumSl; s = s + 1) begin : gen_deficit
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (decide && !active_i[s]) || (move && (next_sl == SlW'(s)))) begin
        deficit_q[s*CountW +: CountW] <= '0;
      end else if (decide && live && !covers && (selected_sl_q == SlW'(s))) begin
        deficit_q[s*CountW +: CountW] <= accumulated_q;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      selected_q    <= 1'b0;
      selected_sl_q <= '0;
      accumulated_q <= '0;
      entry_q       <= EntryW'(NumEntries - 1);
    end else begin
      selected_q    <= selected_d;
      if (move) selected_sl_q <= next_sl;
      accumulated_q <= selected_d ? accumulated_d : '0;
      if (move) entry_q <= next_entry;
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
  a_active:   assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |-> active_i[grant_sl_o]);
  a_quiet:    assert property (@(posedge clk_i) disable iff (!rst_ni) !grant_o |-> grant_sl_o == '0);
  a_idle:     assert property (@(posedge clk_i) disable iff (!rst_ni) !decide_i |->
                               {grant_o, grant_sl_o, saturated_o} == '0);
  a_covered:  assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |->
                               WideW'(available) >= WideW'(size));
  a_one_hot:  assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(next_onehot));
  a_inactive: assert property (@(posedge clk_i) disable iff (!rst_ni) !selected_q |-> accumulated_q == '0);
  if (NeverFull) begin : gen_never_full
    a_never_full: assert property (@(posedge clk_i) disable iff (!rst_ni) !saturated_o);
  end
`endif
`ifdef FORMAL
  `include "dtable_formal.svh"
`endif
`ifdef COVERAGE
  `include "dtable_cover.svh"
`endif
endmodule

/// Deficit round robin egress scheduler of one output port, with the pins of dtable.sv: the active service levels (SLs)
/// take turns in the order of their numbers, each turn adds the SL's quantum to its deficit counter, and the SL sends
/// while the counter covers its head message. An SL that is inactive at a decision loses its counter. C++ twin:
/// sc_models/algorithms/qos/deficit_round_robin.h, whose counters are unlimited: it gives the same decisions to the same inputs as
/// long as no counter here saturates. Source: Shreedhar, Varghese, "Efficient Fair Queuing using Deficit Round Robin",
/// SIGCOMM 1995. It stands beside dtable.sv to compare what the two cost; both sit behind the same port.
///
/// Timing     as dtable.sv: outputs are combinational, one decision per cycle, at most one turn begins in a decision,
///            active_i is looked at with decide_i only.
/// Quanta     written through cfg_*, one per cycle, also while deciding: a quantum counts from the SL's next turn on; in
///            the cycle of the write the old one counts. An SL with quantum 0 has no turns.
/// Counters   CountW bits; they saturate and saturated_o says so in that cycle. With
///            CountW >= max(WeightW, SizeW) + 1 they never do. A message of 2**CountW credits or more is never sent.
/// Corners    no active SL with a quantum: no grant. Decisions during reset are not granted.
/// Reset      no turn is on, counters and quanta are 0, the first search begins at SL 0.
/// Resources  NumSl * (WeightW + 1 + CountW) + SlW + 1 flip-flops; figures in docs/qos_rtl.md.
/// Proven     rtl/packet/drr_formal.svh.
module drr #(
  parameter int unsigned NumSl   = 16,  ///< service levels, 2..32
  parameter int unsigned WeightW = 8,   ///< bits of a quantum, 1..32
  parameter int unsigned SizeW   = 6,   ///< bits of a message size, 1..32
  parameter int unsigned CountW  = 9,   ///< bits of a deficit counter, 1..33
  localparam int unsigned SlW = $clog2(NumSl)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,          ///< active low, synchronous
  input  logic                   cfg_we_i,        ///< write a quantum
  input  logic [SlW-1:0]         cfg_sl_i,        ///< NumSl and above: nothing is written
  input  logic [WeightW-1:0]     cfg_weight_i,    ///< credits
  input  logic                   decide_i,        ///< the link is free for a next message
  input  logic [NumSl-1:0]       active_i,        ///< has a message, and credits for all of it
  input  logic [NumSl*SizeW-1:0] size_i,          ///< credits of the head message of SL s at [s*SizeW +: SizeW], > 0
  output logic                   grant_o,
  output logic [SlW-1:0]         grant_sl_o,      ///< 0 without a grant
  output logic                   saturated_o      ///< this turn's quantum and deficit do not fit the counter
);

  // Parameters out of range are refused at elaboration.
  if ((NumSl < 2) || (NumSl > 32)) $error("drr: NumSl must be 2..32");
  if ((WeightW < 1) || (WeightW > 32)) $error("drr: WeightW must be 1..32");
  if ((SizeW < 1) || (SizeW > 32)) $error("drr: SizeW must be 1..32");
  if ((CountW < 1) || (CountW > 33)) $error("drr: CountW must be 1..33");

  localparam int unsigned LevelW = 2 ** SlW;  // SL numbers that the pins can say
  localparam int unsigned SumW   = ((CountW > WeightW) ? CountW : WeightW) + 1;
  localparam int unsigned WideW  = (SumW > SizeW) ? SumW : SizeW;
  // A turn finds a deficit smaller than a message: with this width the sum always fits.
  localparam bit NeverFull = (CountW > WeightW) && (CountW > SizeW);

  logic [WeightW-1:0]      quantum_q [0:NumSl-1];
  logic [NumSl-1:0]        positive_q;  // has a positive quantum, so it has been written
  logic [NumSl*CountW-1:0] deficit_q;
  logic [SlW-1:0]          turn_q;     // SL whose turn it is or was last
  logic                    in_turn_q;

  // Vectors over SLs as wide as an SL number can say; SLs that do not exist are inactive.
  logic [LevelW-1:0]        active;
  logic [LevelW*SizeW-1:0]  sizes;
  logic [LevelW*CountW-1:0] deficits;
  assign active   = LevelW'(active_i);
  assign sizes    = (LevelW*SizeW)'(size_i);
  assign deficits = (LevelW*CountW)'(deficit_q);

  // The turn goes on, when the counter covers the head message.
  logic              live;  // in turn and still active
  logic [SizeW-1:0]  turn_size;
  logic [CountW-1:0] turn_deficit;
  logic              covers;
  assign live         = in_turn_q && active[turn_q];
  assign turn_size    = sizes[turn_q*SizeW +: SizeW];
  assign turn_deficit = deficits[turn_q*CountW +: CountW];
  assign covers       = live && (WideW'(turn_deficit) >= WideW'(turn_size));

  // Else the next active SL with a quantum: the first one above turn_q, or the first of all.
  logic [NumSl-1:0] candidate;
  logic [NumSl-1:0] above;
  logic [NumSl-1:0] first_from;
  logic [NumSl-1:0] next_onehot;
  logic [SlW-1:0]   next_sl;
  logic             found;
  assign candidate   = positive_q & active_i;
  assign above       = candidate & ({NumSl{1'b1}} << turn_q << 1);
  assign first_from  = (above != '0) ? above : candidate;
  assign next_onehot = first_from & (~first_from + NumSl'(1));
  assign found       = candidate != '0;
  onehot_index #(.Bits(NumSl)) u_next (.onehot_i(next_onehot), .index_o(next_sl));

  logic [SumW-1:0]   next_sum;
  logic              overflow;
  logic [CountW-1:0] next_available;
  logic [SizeW-1:0]  next_size;
  logic              next_covers;
  assign next_sum       = SumW'(quantum_q[next_sl]) + SumW'(deficits[next_sl*CountW +: CountW]);
  assign overflow       = (next_sum >> CountW) != '0;
  assign next_available = overflow ? '1 : CountW'(next_sum);
  assign next_size      = sizes[next_sl*SizeW +: SizeW];
  assign next_covers    = WideW'(next_available) >= WideW'(next_size);

  logic              decide;
  logic              move;  // begins the next turn
  logic [SlW-1:0]    sl;
  logic [CountW-1:0] available;
  logic [SizeW-1:0]  size;
  logic [CountW-1:0] counter_d;  // of the SL whose turn it is
  assign decide      = decide_i && rst_ni;
  assign move        = decide && !covers && found;
  assign grant_o     = decide && (covers || (found && next_covers));
  assign sl          = (decide && !covers && found) ? next_sl : turn_q;
  assign available   = covers ? turn_deficit : next_available;
  assign size        = covers ? turn_size : next_size;
  assign grant_sl_o  = grant_o ? sl : '0;
  assign saturated_o = move && overflow;
  // The difference cannot be negative with a grant.
  assign counter_d   = available - (grant_o ? CountW'(size) : '0);

  for (genvar s = 0; s < NumSl; s = s + 1) begin : gen_deficit
    always_ff @(posedge clk_i) begin
      if (!rst_ni || (decide && !active_i[s])) deficit_q[s*CountW +: CountW] <= '0;
      else if ((move || grant_o) && (sl == SlW'(s))) deficit_q[s*CountW +: CountW] <= counter_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_turn_q <= 1'b0;
      turn_q    <= SlW'(NumSl - 1);
    end else begin
      in_turn_q <= decide ? (covers || found) : in_turn_q;
      turn_q    <= sl;
    end
  end

  logic write;
  assign write = cfg_we_i && rst_ni && (32'(cfg_sl_i) < NumSl);
  always_ff @(posedge clk_i) begin
    if (write) quantum_q[cfg_sl_i] <= cfg_weight_i;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) positive_q <= '0;
    else if (write) positive_q[cfg_sl_i] <= cfg_weight_i != '0;
  end

`ifndef SYNTHESIS
  a_active:  assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |-> active_i[grant_sl_o]);
  a_quiet:   assert property (@(posedge clk_i) disable iff (!rst_ni) !grant_o |-> grant_sl_o == '0);
  a_idle:    assert property (@(posedge clk_i) disable iff (!rst_ni) !decide_i |->
                              {grant_o, grant_sl_o, saturated_o} == '0);
  a_covered: assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |->
                              WideW'(available) >= WideW'(size));
  a_one_hot: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(next_onehot));
  if (NeverFull) begin : gen_never_full
    a_never_full: assert property (@(posedge clk_i) disable iff (!rst_ni) !saturated_o);
  end
`endif
`ifdef FORMAL
  `include "drr_formal.svh"
`endif
`ifdef COVERAGE
  `include "drr_cover.svh"
`endif
endmodule

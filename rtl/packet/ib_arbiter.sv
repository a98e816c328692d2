/// Two-table arbiter of InfiniBand for one output port: which service level (SL) sends its head message next. A high-priority
/// and a low-priority table of {SL, weight} entries, each cycled through by itself, and a limit on what the high-priority table may
/// send before the low-priority one has its chance. C++ twin: sc_models/algorithms/qos/ib_arbiter.h, which gives the same
/// decisions to the same inputs. Source: InfiniBand Architecture Specification, release 1.4, volume 1, section 7.6.9. The tables
/// name VLs in the standard; here SLs, which an identity SL2VL mapping makes the same.
///
/// Timing     grant_o and grant_sl_o are combinational in decide_i, active_i and size_i: a grant in every cycle
///            with decide_i in which an SL with a positive weight is active. Registers change at the end of the cycle.
///            Without decide_i the outputs are 0 and active_i is not looked at.
/// Limit      after limit_i * 64 credits (4096 B) of high-priority messages, whole messages counted, a low-priority message
///            may be sent. 0: after one message. 255: never for this reason. The count starts again whenever the
///            low-priority table has its chance, whether it used it or not.
/// Tables     arbitration_table.sv. To be written before the first decision, for the twin has no writes; a write later
///            counts from the entry's next turn on.
/// Corners    no entry of an active SL: no grant. size_i is not looked at for inactive SLs. Decisions during reset are not
///            granted.
/// Reset      both tables empty, nothing counted.
/// Proven     rtl/packet/ib_arbiter_formal.svh.
module ib_arbiter #(
  parameter int unsigned NumSl      = 16,  ///< service levels, 2..32
  parameter int unsigned NumEntries = 64,  ///< entries of each table, 1..64
  parameter int unsigned SizeW      = 6,   ///< bits of a message size, 1..32
  localparam int unsigned WeightW = 8,     // of the standard
  localparam int unsigned SlW     = $clog2(NumSl),
  localparam int unsigned EntryW  = (NumEntries > 1) ? $clog2(NumEntries) : 1
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,        ///< active low, synchronous
  input  logic                   cfg_we_i,      ///< write an entry
  input  logic                   cfg_high_i,    ///< of the high-priority table
  input  logic [EntryW-1:0]      cfg_index_i,   ///< NumEntries and above: nothing is written
  input  logic [SlW-1:0]         cfg_sl_i,
  input  logic [WeightW-1:0]     cfg_weight_i,  ///< credits
  input  logic [7:0]             limit_i,       ///< LimitOfHighPriority
  input  logic                   decide_i,      ///< the link is free for a next message
  input  logic [NumSl-1:0]       active_i,      ///< has a message, and credits for all of it
  input  logic [NumSl*SizeW-1:0] size_i,        ///< credits of the head message of SL s at [s*SizeW +: SizeW], > 0
  output logic                   grant_o,
  output logic [SlW-1:0]         grant_sl_o     ///< 0 without a grant
);

  // Parameters out of range are refused at elaboration.
  if ((NumSl < 2) || (NumSl > 32)) $error("ib_arbiter: NumSl must be 2..32");
  if ((NumEntries < 1) || (NumEntries > 64)) $error("ib_arbiter: NumEntries must be 1..64");
  if ((SizeW < 1) || (SizeW > 32)) $error("ib_arbiter: SizeW must be 1..32");

  localparam int unsigned LevelW = 2 ** SlW;
  // More than the largest limit, 254 * 64, counts as that: the counter stops there.
  localparam int unsigned SentW = 14;
  localparam int unsigned SumW  = ((SentW > SizeW) ? SentW : SizeW) + 1;

  logic           high_any, low_any;
  logic [SlW-1:0] high_sl, low_sl;
  logic           high_serve, low_serve;
  logic [LevelW*SizeW-1:0] sizes;
  assign sizes = (LevelW*SizeW)'(size_i);

  logic             expired_q;  // the low-priority table is to have its chance
  logic [SentW-1:0] sent_q;     // credits since it had it

  logic decide;
  logic high;
  assign decide       = decide_i && rst_ni;
  assign high         = high_any && !(expired_q && low_any);
  assign grant_o      = decide && (high_any || low_any);
  assign high_serve   = grant_o && high;
  assign low_serve    = grant_o && !high;
  assign grant_sl_o   = !grant_o ? '0 : high ? high_sl : low_sl;

  logic [SizeW-1:0] high_size, low_size;
  assign high_size = sizes[high_sl*SizeW +: SizeW];
  assign low_size  = sizes[low_sl*SizeW +: SizeW];

  arbitration_table #(.NumSl(NumSl), .NumEntries(NumEntries), .WeightW(WeightW), .SizeW(SizeW)) u_high (
    .clk_i, .rst_ni, .cfg_we_i(cfg_we_i && cfg_high_i), .cfg_index_i, .cfg_sl_i, .cfg_weight_i, .active_i,
    .any_o(high_any), .sl_o(high_sl), .serve_i(high_serve), .size_i(high_size)
  );
  arbitration_table #(.NumSl(NumSl), .NumEntries(NumEntries), .WeightW(WeightW), .SizeW(SizeW)) u_low (
    .clk_i, .rst_ni, .cfg_we_i(cfg_we_i && !cfg_high_i), .cfg_index_i, .cfg_sl_i, .cfg_weight_i, .active_i,
    .any_o(low_any), .sl_o(low_sl), .serve_i(low_serve), .size_i(low_size)
  );

  // A chance that the low-priority table could not use is over as well.
  logic [SentW-1:0] counted;
  logic [SumW-1:0]  sum;
  logic [SentW-1:0] sent_d;
  assign counted = expired_q ? '0 : sent_q;  // here, expired, only without a message of low priority
  assign sum     = SumW'(counted) + SumW'(high_size);
  assign sent_d  = ((sum >> SentW) != '0) ? '1 : SentW'(sum);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      expired_q <= 1'b0;
      sent_q    <= '0;
    end else if (high_serve) begin
      expired_q <= (limit_i != 8'd255) && (sent_d >= {limit_i, 6'd0});
      sent_q    <= sent_d;
    end else if (low_serve || (decide && !low_any && expired_q)) begin
      expired_q <= 1'b0;
      sent_q    <= '0;
    end
  end

`ifndef SYNTHESIS
  a_active: assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |-> active_i[grant_sl_o]);
  a_quiet:  assert property (@(posedge clk_i) disable iff (!rst_ni) !grant_o |-> grant_sl_o == '0);
  a_works:  assert property (@(posedge clk_i) disable iff (!rst_ni) decide_i && (high_any || low_any) |-> grant_o);
  a_chance: assert property (@(posedge clk_i) disable iff (!rst_ni) high_serve && low_any |-> !expired_q);
`endif
`ifdef FORMAL
  `include "ib_arbiter_formal.svh"
`endif
`ifdef COVERAGE
  `include "ib_arbiter_cover.svh"
`endif
endmodule

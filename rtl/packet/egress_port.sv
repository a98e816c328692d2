/// Egress port of a packet switch: output buffer, egress scheduler, count of the credits of the next buffer, and the sender of the
/// link. Whole messages of 1 or more flits, on virtual lanes (VLs) and service levels (SLs); virtual cut-through. C++ twin:
/// sc_models/fabrics/packet/common/egress_port.h, which sends the same messages in the same cycles. Semantics:
/// docs/packet_switches.md, "OB".
///
/// Inputs     are registered: what stands at a pin in cycle t counts in cycle t + 1.
/// Space      room_o of a VL is what the allocator of the switch may reserve for it; reserve_i reserves, for one VL in a cycle. A
///            flit leaves its place in the cycle in which it is on the link, and the place can be reserved again in that cycle.
/// Flits      come into reserved places, those of a message together, up to Rate in a cycle; in the cycle with head_i also its SL
///            and size. From then on at least one flit comes in each cycle until the message is complete.
/// Decision   when the link is free for one: the last message, of F flits, was granted F cycles ago or earlier. An SL is active when
///            the oldest message of a VL has that SL and room in the next buffer; if several VLs qualify, the one after the VL that
///            the SL used last, in cyclic order. The scheduler grants an active SL at most; grant_o, grant_sl_o and grant_vl_o show it
///            in the same cycle.
/// Link       flit i of a message that is granted in cycle t is on the link in cycle t + Output + i.
/// Credits    credit_i gives back flits of VLs; they can be used in the next cycle. credits_o: room of the next buffer.
/// Scheduler  0: dtable.sv, 1: drr.sv, 2: ib_arbiter.sv, which is asked only when an SL is active: it keeps its count while nothing is
///            to be sent, as its twin does. Tables through cfg_*, as described there; pins that a scheduler does not have are unused.
/// Shares     constants of the two buffers, as in shared_space.sv: minimum_i, maximum_i, shared_i of the output buffer, which has at
///            most Depth flits; next_*_i of the next one, with NextDepth at most.
/// Corners    a message of more flits than the next buffer's maximum is never sent. Grants during reset are not made.
/// Reset      both buffers empty, nothing on the link; the scheduler as described there.
/// Proven     rtl/packet/egress_port_formal.svh.
/// Resources  those of flit_store, of NumVl vc_buffer of Depth messages, two shared_space and the scheduler.
module egress_port #(
  parameter int unsigned Scheduler  = 0,   ///< 0: Deficit Table, 1: deficit round robin, 2: two-table arbiter of InfiniBand
  parameter int unsigned NumSl      = 16,  ///< service levels, 2..32
  parameter int unsigned NumVl      = 2,   ///< virtual lanes, 1..16
  parameter int unsigned NumEntries = 64,  ///< entries of a table, 1..128; of ib_arbiter 1..64
  parameter int unsigned WeightW    = 8,   ///< bits of a weight or quantum, 1..32; of ib_arbiter 8
  parameter int unsigned SizeW      = 6,   ///< bits of a message size, 1..16
  parameter int unsigned CountW     = 9,   ///< bits of the scheduler's counters, 1..33; not of ib_arbiter
  parameter int unsigned Depth      = 64,  ///< flits of the output buffer, 2..256
  parameter int unsigned NextDepth  = 64,  ///< flits of the next buffer, 1..65535
  parameter int unsigned Rate       = 1,   ///< flits that come in a cycle, 1..4
  parameter int unsigned Output     = 1,   ///< cycles from the decision to the first flit on the link, 1..16
  parameter int unsigned Width      = 32,  ///< data bits of a flit, 1..1024
  localparam int unsigned SlW    = $clog2(NumSl),
  localparam int unsigned VlW    = (NumVl > 1) ? $clog2(NumVl) : 1,
  localparam int unsigned EntryW = (NumEntries > 1) ? $clog2(NumEntries) : 1,
  localparam int unsigned PlaceW = $clog2(Depth + 1),
  localparam int unsigned NextW  = $clog2(NextDepth + 1),
  localparam int unsigned RateW  = $clog2(Rate + 1)
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,          ///< active low, synchronous
  input  logic                    cfg_we_i,
  input  logic                    cfg_high_i,      ///< ib_arbiter: into the high-priority table
  input  logic [EntryW-1:0]       cfg_index_i,
  input  logic [SlW-1:0]          cfg_sl_i,
  input  logic [WeightW-1:0]      cfg_weight_i,
  input  logic [7:0]              limit_i,         ///< ib_arbiter: LimitOfHighPriority
  input  logic [NumVl*PlaceW-1:0] minimum_i,       ///< flits of VL v at [v*PlaceW +: PlaceW]; so all numbers of VLs
  input  logic [NumVl*PlaceW-1:0] maximum_i,
  input  logic [PlaceW-1:0]       shared_i,
  input  logic [NumVl*NextW-1:0]  next_minimum_i,
  input  logic [NumVl*NextW-1:0]  next_maximum_i,
  input  logic [NextW-1:0]        next_shared_i,
  output logic [NumVl*PlaceW-1:0] room_o,          ///< of the output buffer
  input  logic [NumVl*PlaceW-1:0] reserve_i,       ///< flits, at most room_o
  input  logic [RateW-1:0]        flits_i,         ///< flits that come from the crossbar, all of one message
  input  logic                    head_i,          ///< the first of them is the head
  input  logic [VlW-1:0]          vl_i,
  input  logic [SlW-1:0]          sl_i,            ///< with head_i
  input  logic [SizeW-1:0]        size_i,          ///< with head_i: flits of the message, > 0
  input  logic [Rate*Width-1:0]   data_i,          ///< the first flit in the lowest bits
  input  logic [NumVl*NextW-1:0]  credit_i,
  output logic [NumVl*NextW-1:0]  credits_o,       ///< room of the next buffer
  output logic                    grant_o,
  output logic [SlW-1:0]          grant_sl_o,      ///< 0 without a grant
  output logic [VlW-1:0]          grant_vl_o,      ///< the same
  output logic                    link_valid_o,
  output logic                    link_head_o,
  output logic                    link_tail_o,
  output logic [VlW-1:0]          link_vl_o,       ///< 0 without a flit
  output logic [Width-1:0]        link_data_o      ///< the same
);

  // Parameters out of range are refused at elaboration, those of the parts by the parts.
  if (Scheduler > 2) $error("egress_port: Scheduler must be 0..2");
  if ((NumVl < 1) || (NumVl > 16)) $error("egress_port: NumVl must be 1..16");
  if ((SizeW < 1) || (SizeW > 16)) $error("egress_port: SizeW must be 1..16");
  if ((NextDepth < 1) || (NextDepth > 65535)) $error("egress_port: NextDepth must be 1..65535");
  if ((Output == 0) || (Output > 16)) $error("egress_port: Output must be 1..16");
  if ((Scheduler == 2) && (WeightW != 8)) $error("egress_port: WeightW must be 8 with ib_arbiter");

  localparam int unsigned FromW = $clog2(NumVl + 1);
  localparam int unsigned HeadW = SlW + SizeW;
  localparam int unsigned WideW = (SizeW > NextW) ? SizeW : NextW;

  // Inputs.
  logic [RateW-1:0]       flits_q;
  logic                   head_q;
  logic [VlW-1:0]         vl_q;
  logic [HeadW-1:0]       in_q;      // SL and size
  logic [Rate*Width-1:0]  data_q;
  logic [NumVl*NextW-1:0] credit_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      flits_q  <= '0;
      credit_q <= '0;
    end else begin
      flits_q  <= flits_i;
      credit_q <= credit_i;
    end
  end
  always_ff @(posedge clk_i) begin
    head_q <= head_i;
    vl_q   <= vl_i;
    in_q   <= {sl_i, size_i};
    data_q <= data_i;
  end

  // Messages of each VL, and the SL, the size and the room of the oldest.
  logic [NumVl-1:0]       next;  // one-hot: VL of the message that is granted
  logic [NumVl*SlW-1:0]   head_sl;
  logic [NumVl*SizeW-1:0] head_size;
  logic [NumVl-1:0]       ready;
  logic [NumVl*NextW-1:0] spend;
  for (genvar v = 0; v < NumVl; v = v + 1) begin : gen_vl
    logic             comes;  // a message
    logic             waits;
    logic [HeadW-1:0] oldest;
    assign comes = (flits_q != '0) && head_q && (vl_q == VlW'(v));
    vc_buffer #(.Width(HeadW), .Depth(Depth)) u_messages (
      .clk_i, .rst_ni, .push_i(comes), .data_i(in_q), .pop_i(next[v]), .valid_o(waits), .data_o(oldest)
    );
    assign {head_sl[v*SlW +: SlW], head_size[v*SizeW +: SizeW]} = oldest;
    assign ready[v] = waits && (WideW'(head_size[v*SizeW +: SizeW]) <= WideW'(credits_o[v*NextW +: NextW]));
    assign spend[v*NextW +: NextW] = next[v] ? NextW'(head_size[v*SizeW +: SizeW]) : '0;
  end
  shared_space #(.NumVl(NumVl), .CountW(NextW)) u_credits (
    .clk_i, .rst_ni, .minimum_i(next_minimum_i), .maximum_i(next_maximum_i), .shared_i(next_shared_i),
    .take_i(spend), .give_i(credit_q), .room_o(credits_o)
  );

  // Of each SL the VL whose message is its head.
  logic [NumSl-1:0]       active;
  logic [NumSl*SizeW-1:0] size;
  logic [NumSl*NumVl-1:0] lane;  // one-hot
  for (genvar s = 0; s < NumSl; s = s + 1) begin : gen_sl
    logic [NumVl-1:0] candidate;
    logic [FromW-1:0] from_q;  // VL behind the one used last
    for (genvar v = 0; v < NumVl; v = v + 1) begin : gen_candidate
      assign candidate[v] = ready[v] && (head_sl[v*SlW +: SlW] == SlW'(s));
    end
    round_robin #(.Requests(NumVl)) u_lane (
      .request_i(candidate), .from_i(from_q), .grant_o(lane[s*NumVl +: NumVl])
    );
    assign active[s] = candidate != '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) from_q <= '0;
      else if (grant_o && (grant_sl_o == SlW'(s))) from_q <= FromW'(grant_vl_o) + FromW'(1);
    end
  end
  always_comb begin
    size = '0;
    for (int unsigned s = 0; s < NumSl; s = s + 1) begin
      for (int unsigned v = 0; v < NumVl; v = v + 1) begin
        if (lane[s*NumVl + v]) size[s*SizeW +: SizeW] = size[s*SizeW +: SizeW] | head_size[v*SizeW +: SizeW];
      end
    end
  end

  // Decision, in the cycles in which the link is free for one.
  logic [SizeW-1:0] busy_q;  // cycles until the next decision
  logic             decide;
  logic [SizeW-1:0] grant_size;
  assign decide     = (busy_q == '0) && ((Scheduler != 2) || (active != '0));
  assign next       = grant_o ? lane[grant_sl_o*NumVl +: NumVl] : '0;
  assign grant_size = size[grant_sl_o*SizeW +: SizeW];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= '0;
    else if (grant_o) busy_q <= grant_size - SizeW'(1);
    else if (busy_q != '0) busy_q <= busy_q - SizeW'(1);
  end
  if (NumVl > 1) begin : gen_grant_vl
    onehot_index #(.Bits(NumVl)) u_grant_vl (.onehot_i(next), .index_o(grant_vl_o));
  end else begin : gen_one_vl
    assign grant_vl_o = '0;
  end

  if (Scheduler == 0) begin : gen_dtable
    logic saturated;
    dtable #(.NumSl(NumSl), .NumEntries(NumEntries), .WeightW(WeightW), .SizeW(SizeW), .CountW(CountW)) u_scheduler (
      .clk_i, .rst_ni, .cfg_we_i, .cfg_index_i, .cfg_sl_i, .cfg_weight_i, .decide_i(decide), .active_i(active),
      .size_i(size), .grant_o, .grant_sl_o, .saturated_o(saturated)
    );
    logic unused;
    assign unused = &{1'b0, cfg_high_i, limit_i, saturated};
  end else if (Scheduler == 1) begin : gen_drr
    logic saturated;
    drr #(.NumSl(NumSl), .WeightW(WeightW), .SizeW(SizeW), .CountW(CountW)) u_scheduler (
      .clk_i, .rst_ni, .cfg_we_i, .cfg_sl_i, .cfg_weight_i, .decide_i(decide), .active_i(active), .size_i(size), .grant_o,
      .grant_sl_o, .saturated_o(saturated)
    );
    logic unused;
    assign unused = &{1'b0, cfg_high_i, cfg_index_i, limit_i, saturated};
  end else begin : gen_ib_arbiter
    ib_arbiter #(.NumSl(NumSl), .NumEntries(NumEntries), .SizeW(SizeW)) u_scheduler (
      .clk_i, .rst_ni, .cfg_we_i, .cfg_high_i, .cfg_index_i, .cfg_sl_i, .cfg_weight_i, .limit_i, .decide_i(decide),
      .active_i(active), .size_i(size), .grant_o, .grant_sl_o
    );
  end

  // Link: the message that is granted begins Output cycles later, when the one before it has ended.
  logic             start;
  logic [VlW-1:0]   start_vl;
  logic [SizeW-1:0] start_size;
  logic [SizeW-1:0] left_q;  // flits of the message on the link, this cycle's included
  logic [VlW-1:0]   sends_q;
  logic             first_q;
  logic [Width-1:0] data;
  delay_line #(.Width(1 + VlW + SizeW), .Cycles((Output > 0) ? (Output - 1) : 0)) u_output (
    .clk_i, .rst_ni, .data_i({grant_o, grant_vl_o, grant_size}), .data_o({start, start_vl, start_size})
  );
  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (start) left_q <= start_size;
    else if (left_q != '0) left_q <= left_q - SizeW'(1);
  end
  always_ff @(posedge clk_i) begin
    first_q <= start;
    if (start) sends_q <= start_vl;
  end
  assign link_valid_o = (left_q != '0) && rst_ni;
  assign link_head_o  = link_valid_o && first_q;
  assign link_tail_o  = link_valid_o && (left_q == SizeW'(1));
  assign link_vl_o    = link_valid_o ? sends_q : '0;
  assign link_data_o  = link_valid_o ? data : '0;

  // Output buffer.
  logic [NumVl*PlaceW-1:0] leave;
  for (genvar v = 0; v < NumVl; v = v + 1) begin : gen_leave
    assign leave[v*PlaceW +: PlaceW] = PlaceW'(link_valid_o && (sends_q == VlW'(v)));
  end
  flit_store #(.NumVl(NumVl), .Depth(Depth), .Width(Width), .Rate(Rate)) u_flits (
    .clk_i, .rst_ni, .push_i(flits_q), .push_vl_i(vl_q), .push_data_i(data_q), .pop_i(link_valid_o),
    .pop_vl_i(sends_q), .data_o(data)
  );
  shared_space #(.NumVl(NumVl), .CountW(PlaceW)) u_space (
    .clk_i, .rst_ni, .minimum_i, .maximum_i, .shared_i, .take_i(reserve_i), .give_i(leave), .room_o
  );

`ifndef SYNTHESIS
  a_active:  assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |-> next != '0);
  a_one_vl:  assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(next));
  a_free:    assert property (@(posedge clk_i) disable iff (!rst_ni) grant_o |-> busy_q == '0);
  a_no_gap:  assert property (@(posedge clk_i) disable iff (!rst_ni) start |-> (left_q == '0) || link_tail_o);
  a_size:    assert property (@(posedge clk_i) disable iff (!rst_ni) (flits_i != '0) && head_i |-> size_i != '0);
`endif
`ifdef FORMAL
  `include "egress_port_formal.svh"
`endif
`ifdef COVERAGE
  `include "egress_port_cover.svh"
`endif
endmodule

/// Effect of a message about a circuit that a switch has a record of: combinational. Part of setup_unit. C++ twin: from_source()
/// and from_branch() of sc_models/fabrics/tdm/setup/switch_circuits.cpp.
///
/// Message    kind_i as in setup_unit, forward_i, and whether its cause is a fault; from_i: the port it came from.
/// Record     in_i, outs_i of the circuit; accepted_i, ended_i: what its branches have answered; withdrawing_i: they have been
///            asked to end; confirmed_i: this message completes a release.
/// Effect     effect_o: 0 none, 1 the message is sent to ports_o, 2 the same, and then the slots are given up, 3 the slots are
///            given up and the message is sent to ports_o, 4 the branches are withdrawn, 5 the last branch has ended.
///            accepts_o, confirms_o, ends_o: it is the answer of a branch, from port from_i.
/// Proven     rtl/tdm/message_effect_formal.svh.
module message_effect #(
  parameter int unsigned Ports = 5,  ///< 2..32
  localparam int unsigned PortW = $clog2(Ports)
) (
  input  logic [2:0]       kind_i,
  input  logic             forward_i,
  input  logic             fault_i,
  input  logic [PortW-1:0] from_i,
  input  logic [PortW-1:0] in_i,
  input  logic [Ports-1:0] outs_i,
  input  logic [Ports-1:0] accepted_i,
  input  logic [Ports-1:0] ended_i,
  input  logic             withdrawing_i,
  input  logic             confirmed_i,
  output logic [2:0]       effect_o,
  output logic [Ports-1:0] ports_o,
  output logic             accepts_o,
  output logic             confirms_o,
  output logic             ends_o
);

  if ((Ports < 2) || (Ports > 32)) $error("message_effect: Ports must be 2..32");

  localparam logic [2:0] Accept = 3'd2, Withdraw = 3'd3, Release = 3'd4, Released = 3'd5, Teardown = 3'd6;
  localparam logic [2:0] None = 3'd0, Send = 3'd1, SendAndClear = 3'd2, Clear = 3'd3, WithdrawAll = 3'd4, End = 3'd5;

  logic [Ports-1:0] branch, open;
  logic             from_source, from_branch, teardown, all_accepted, all_ended;
  assign branch       = Ports'(1) << from_i;
  assign open         = outs_i & ~ended_i;
  assign teardown     = kind_i == Teardown;
  assign from_source  = (from_i == in_i) && ((kind_i == Withdraw) || (kind_i == Release) || (teardown && forward_i));
  assign from_branch  = (branch & outs_i) != '0;
  assign accepts_o    = from_branch && (kind_i == Accept);
  assign confirms_o   = from_branch && (kind_i == Released);
  assign ends_o       = from_branch && teardown && !forward_i && !fault_i;
  assign all_accepted = (accepted_i | branch) == outs_i;
  assign all_ended    = (ended_i | branch) == outs_i;

  always_comb begin
    effect_o = None;
    ports_o  = Ports'(1) << in_i;
    if (from_source) begin
      ports_o = open;
      if (kind_i == Release) effect_o = Send;
      else if (teardown) effect_o = Clear;
      else if (!withdrawing_i) effect_o = WithdrawAll;
    end else if (accepts_o) begin
      if (all_accepted && !withdrawing_i) effect_o = Send;
    end else if (confirms_o) begin
      if (confirmed_i) effect_o = Clear;
    end else if (ends_o) begin
      if (all_ended) effect_o = End;
      else if (!withdrawing_i) effect_o = WithdrawAll;
    end else if (from_branch && teardown && !forward_i) begin  // a failure behind the branch: the others hear of it
      effect_o = SendAndClear;
      ports_o  = open & ~branch;
    end
  end

`ifdef COVERAGE
  `include "message_effect_cover.svh"
`endif
`ifdef FORMAL
  `include "message_effect_formal.svh"
`endif
endmodule

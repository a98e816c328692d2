/// Input virtual channel of the input-queued router: buffer, routing stage, choice of output VCs, owned output VC.
///
/// Flits      {VCs, number of ports, first port, data, tail, head}; the first three are the hop, known with the head.
/// Numbers    output VC v of port p has bit v * Ports + p.
/// Timing     request_o and ready_o are combinational in push_i and flit_i as long as their stages have no cycles;
///            ready_o also in match_i. A head requests from Routing cycles after the first cycle on in which it is the
///            oldest flit, and is ready from VcAllocation cycles after its match on. Registers change at the end of the
///            cycle.
/// Reset      empty, no output VC is owned.
/// Resources  those of vc_buffer, two stage_timer and hop_choice, and 1 + $clog2(Ports * Vcs) flip-flops.
module iq_input_vc #(
  parameter int unsigned Ports        = 5,   ///< 2..16
  parameter int unsigned Vcs          = 2,   ///< 1..16, Ports * Vcs <= 64
  parameter int unsigned Trunk        = 1,   ///< most ports of a hop, 1..Ports
  parameter int unsigned Width        = 32,  ///< bits of a flit's data, 1..1024
  parameter int unsigned Buffer       = 8,   ///< flits, 1..1024
  parameter int unsigned Routing      = 1,   ///< cycles, 0..16
  parameter int unsigned VcAllocation = 1,   ///< cycles, 0..16
  parameter int unsigned Islip        = 0,   ///< requests all candidates instead of the preferred one
  localparam int unsigned Outs   = Ports * Vcs,
  localparam int unsigned PortW  = $clog2(Ports),
  localparam int unsigned CountW = $clog2(Trunk + 1),
  localparam int unsigned FromW  = $clog2(Outs + 1),
  localparam int unsigned FlitW  = Vcs + CountW + PortW + Width + 2
) (
  input  logic             clk_i,
  input  logic             rst_ni,     ///< active low, synchronous
  input  logic             push_i,
  input  logic [FlitW-1:0] flit_i,
  input  logic             pop_i,      ///< the oldest flit is granted the switch
  output logic [Width-1:0] data_o,     ///< of the oldest flit
  output logic             head_o,
  output logic             tail_o,
  input  logic [Outs-1:0]  free_i,     ///< output VCs that can be given away
  output logic [Outs-1:0]  request_o,
  output logic [FromW-1:0] from_o,
  input  logic [Outs-1:0]  match_i,    ///< one-hot: output VC that becomes this one's
  input  logic [Outs-1:0]  won_i,      ///< the same, in the round in which pointers move
  input  logic [Outs-1:0]  credit_i,   ///< output VCs with a credit
  output logic             ready_o,    ///< has a flit, an output VC and a credit
  output logic [Outs-1:0]  out_o       ///< one-hot: its output VC, from the match on
);

  // Parameters out of range are refused at elaboration.
  if ((Ports < 2) || (Ports > 16)) $error("iq_input_vc: Ports must be 2..16");
  if ((Vcs < 1) || (Vcs > 16)) $error("iq_input_vc: Vcs must be 1..16");
  if (Islip > 1) $error("iq_input_vc: Islip must be 0 or 1");
  if ((Trunk < 1) || (Trunk > Ports)) $error("iq_input_vc: Trunk must be 1..Ports");
  if ((Width < 1) || (Width > 1024)) $error("iq_input_vc: Width must be 1..1024");
  if ((Buffer < 1) || (Buffer > 1024)) $error("iq_input_vc: Buffer must be 1..1024");
  if (Routing > 16) $error("iq_input_vc: Routing must be 0..16");
  if (VcAllocation > 16) $error("iq_input_vc: VcAllocation must be 0..16");

  localparam int unsigned OutW = $clog2(Outs);

  logic             valid;
  logic [FlitW-1:0] flit;
  vc_buffer #(.Width(FlitW), .Depth(Buffer)) u_buffer (
    .clk_i, .rst_ni, .push_i, .data_i(flit_i), .pop_i, .valid_o(valid), .data_o(flit)
  );
  logic [PortW-1:0]  first;
  logic [CountW-1:0] count;
  logic [Vcs-1:0]    vcs;
  assign {vcs, count, first, data_o, tail_o, head_o} = flit;

  // Routing: a head that is the oldest flit and owns no output VC.
  logic            owned_q;
  logic [OutW-1:0] out_q;
  logic            matched;
  logic            requests;
  assign matched = match_i != '0;
  stage_timer #(.Cycles(Routing)) u_routing (
    .clk_i, .rst_ni, .run_i(valid && head_o && !owned_q), .clear_i(matched), .done_o(requests)
  );
  hop_choice #(.Ports(Ports), .Vcs(Vcs), .Trunk(Trunk), .Islip(Islip)) u_choice (
    .clk_i, .rst_ni, .request_i(requests), .first_i(first), .count_i(count), .vcs_i(vcs), .free_i,
    .won_i, .request_o, .from_o
  );

  // Output VC: owned from the match until the tail goes. Without a stage of its own it is used in the cycle of the match.
  logic usable;
  logic leaves;
  assign leaves = pop_i && tail_o;
  if (VcAllocation == 0) begin : gen_at_once
    assign usable = owned_q || matched;
  end else begin : gen_later
    stage_timer #(.Cycles(VcAllocation - 1)) u_vc_allocation (
      .clk_i, .rst_ni, .run_i(owned_q), .clear_i(leaves), .done_o(usable)
    );
  end
  assign out_o   = owned_q ? (Outs'(1) << out_q) : match_i;
  assign ready_o = usable && valid && ((out_o & credit_i) != '0);

  logic [OutW-1:0] matched_out;
  onehot_index #(.Bits(Outs)) u_out (.onehot_i(match_i), .index_o(matched_out));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) owned_q <= 1'b0;
    else owned_q <= (owned_q || matched) && !leaves;
  end
  always_ff @(posedge clk_i) begin
    if (matched) out_q <= matched_out;
  end

`ifndef SYNTHESIS
  a_head_first: assert property (@(posedge clk_i) disable iff (!rst_ni) valid && !owned_q |-> head_o);
  a_one_packet: assert property (@(posedge clk_i) disable iff (!rst_ni) matched |-> !owned_q && requests);
  a_ready:      assert property (@(posedge clk_i) disable iff (!rst_ni) pop_i |-> ready_o);
`endif
`ifdef COVERAGE
  `include "iq_input_vc_cover.svh"
`endif
endmodule

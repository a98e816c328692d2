/// Switch allocation of the input-queued router: which input VC sends its oldest flit through the crossbar. Each input
/// port sends at most one flit per cycle, each output port takes at most one.
///
/// separable  each input port requests for its first ready VC in cyclic order from its VC pointer on, each output port
///            grants the first requesting input port from its pointer on.
/// iSLIP      each input port requests every output port for which it has a ready VC (iq_allocator.sv), and sends for
///            its first such VC with the output port it accepts.
/// Timing     combinational; pointers change at the end of the cycle.
/// Reset      all pointers are 0.
/// Resources  Ports * ($clog2(Vcs + 1) + $clog2(Ports + 1)) flip-flops, with iSLIP Ports * $clog2(Ports + 1) more.
module iq_switch #(
  parameter int unsigned Ports      = 5,  ///< 2..16
  parameter int unsigned Vcs        = 2,  ///< 1..16
  parameter int unsigned Islip      = 0,
  parameter int unsigned Iterations = 1,  ///< 1..16, 1 without Islip
  localparam int unsigned Ins = Ports * Vcs
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,   ///< active low, synchronous
  input  logic [Ins-1:0]         ready_i,  ///< VC v of input port p at p * Vcs + v
  input  logic [Ins*Ports-1:0]   to_i,     ///< of each input VC its output port, one-hot
  output logic [Ins-1:0]         send_o,   ///< at most one per input port
  output logic [Ports*Ports-1:0] cross_o   ///< output port o takes the flit of input port p: p * Ports + o
);

  // Parameters out of range are refused at elaboration.
  if ((Ports < 2) || (Ports > 16)) $error("iq_switch: Ports must be 2..16");
  if ((Vcs < 1) || (Vcs > 16)) $error("iq_switch: Vcs must be 1..16");
  if (Islip > 1) $error("iq_switch: Islip must be 0 or 1");
  if ((Iterations < 1) || (Iterations > 16)) $error("iq_switch: Iterations must be 1..16");

  localparam int unsigned VcPointerW = $clog2(Vcs + 1);
  localparam int unsigned PortFromW  = $clog2(Ports + 1);

  logic [Ports*Ports-1:0]     request;
  logic [Ports*PortFromW-1:0] accept_from;
  logic [Ports*Ports-1:0]     first;
  iq_allocator #(.Requesters(Ports), .Resources(Ports), .Rounds(Iterations)) u_allocator (
    .clk_i, .rst_ni, .request_i(request), .from_i(accept_from), .match_o(cross_o), .first_o(first)
  );

  for (genvar p = 0; p < Ports; p = p + 1) begin : gen_input
    logic [VcPointerW-1:0] vc_pointer_q;
    logic [Vcs-1:0]        ready;
    logic [Vcs-1:0]        asking;    // VCs for which the port requests
    logic [Vcs-1:0]        eligible;  // VCs with the output port it accepts
    logic [Vcs-1:0]        send;
    logic [Ports-1:0]      passes;
    assign ready = ready_i[p*Vcs +: Vcs];
    assign passes = cross_o[p*Ports +: Ports];
    assign send_o[p*Vcs +: Vcs] = send;

    for (genvar o = 0; o < Ports; o = o + 1) begin : gen_request
      logic [Vcs-1:0] wants;
      for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_vc
        assign wants[v] = asking[v] && to_i[(p*Vcs + v)*Ports + o];
      end
      assign request[p*Ports + o] = wants != '0;
    end
    for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_eligible
      assign eligible[v] = asking[v] && ((to_i[(p*Vcs + v)*Ports +: Ports] & passes) != '0);
    end

    if (Islip != 0) begin : gen_all
      logic [PortFromW-1:0] accept_q;
      logic [PortFromW-1:0] accept_d;
      always_comb begin
        accept_d = accept_q;
        for (int unsigned o = 0; o < Ports; o++) begin
          if (first[p*Ports + o]) accept_d = PortFromW'(o + 1);
        end
      end
      always_ff @(posedge clk_i) begin
        if (!rst_ni) accept_q <= '0;
        else accept_q <= accept_d;
      end
      assign accept_from[p*PortFromW +: PortFromW] = accept_q;
      assign asking = ready;
      round_robin #(.Requests(Vcs)) u_vc (.request_i(eligible), .from_i(vc_pointer_q), .grant_o(send));
    end else begin : gen_preferred
      // One request per port, so there is never more than one grant to accept.
      logic unused;
      assign unused = &{1'b0, first[p*Ports +: Ports]};
      assign accept_from[p*PortFromW +: PortFromW] = '0;
      round_robin #(.Requests(Vcs)) u_vc (.request_i(ready), .from_i(vc_pointer_q), .grant_o(asking));
      assign send = eligible;
    end

    logic [VcPointerW-1:0] vc_pointer_d;
    always_comb begin
      vc_pointer_d = vc_pointer_q;
      for (int unsigned v = 0; v < Vcs; v++) begin
        if (send[v]) vc_pointer_d = VcPointerW'(v + 1);
      end
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) vc_pointer_q <= '0;
      else vc_pointer_q <= vc_pointer_d;
    end
`ifndef SYNTHESIS
    a_one_send: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(send));
    a_ready:    assert property (@(posedge clk_i) disable iff (!rst_ni) (send & ~ready) == '0);
    a_sends:    assert property (@(posedge clk_i) disable iff (!rst_ni) (passes != '0) == (send != '0));
`endif
  end

`ifndef SYNTHESIS
  for (genvar o = 0; o < Ports; o = o + 1) begin : gen_output
    logic [Ports-1:0] taken;
    for (genvar p = 0; p < Ports; p = p + 1) begin : gen_taken
      assign taken[p] = cross_o[p*Ports + o];
    end
    a_one_taken: assert property (@(posedge clk_i) disable iff (!rst_ni) $onehot0(taken));
  end
`endif
`ifdef FORMAL
  `include "iq_switch_formal.svh"
`endif
`ifdef COVERAGE
  `include "iq_switch_cover.svh"
`endif
endmodule

// Properties of iq_switch, proven without bound by scripts/formal. Reset may come back at any time; any VCs are ready, each
// for one output port. The ghost is the VC pointer of any fixed input port, kept from what it sends.

(* anyconst *) logic [8:0] f_p;  // an input port
(* anyconst *) logic [8:0] f_o;  // an output port

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

logic [Vcs-1:0]        f_ready;
logic [Vcs-1:0]        f_send;
logic [Ports-1:0]      f_passes;
logic [Ports-1:0]      f_column;
logic [VcPointerW-1:0] f_pointer;
logic [VcPointerW-1:0] f_pointer_d;
assign f_ready  = ready_i[32'(f_p)*Vcs +: Vcs];
assign f_send   = send_o[32'(f_p)*Vcs +: Vcs];
assign f_passes = cross_o[32'(f_p)*Ports +: Ports];
always_comb begin
  f_pointer_d = f_pointer;
  for (int unsigned v = 0; v < Vcs; v++) if (f_send[v]) f_pointer_d = VcPointerW'(v + 1);
end
always_ff @(posedge clk_i) f_pointer <= rst_ni ? f_pointer_d : '0;

logic [Ports-1:0] f_to [0:Ins-1];
for (genvar i = 0; i < Ins; i = i + 1) begin : gen_f_to
  always_comb assume ((to_i[i*Ports +: Ports] != '0) && ((to_i[i*Ports +: Ports] & (to_i[i*Ports +: Ports] - 1'b1)) == '0));
  assign f_to[i] = to_i[i*Ports +: Ports];
end
always_comb begin
  assume (32'(f_p) < Ports);
  assume (32'(f_o) < Ports);
  if (!f_started) assume (!rst_ni);
end

function [15:0] f_steps(input [15:0] from, input [15:0] to, input [15:0] all);
  f_steps = ((from == all) || (to >= from)) ? (to - ((from == all) ? 16'd0 : from)) : (to + all - from);
endfunction

// VCs among which the pointer chooses, and whether the one that sends is the first of them; output ports of what is sent.
logic             f_turn;
logic [Ports-1:0] f_sent;
logic [Ports-1:0] f_wanted;  // input ports with a VC that is ready for the output port
always_comb begin
  f_turn = 1'b1;
  f_sent = '0;
  for (int unsigned v = 0; v < Vcs; v++) begin
    if (f_send[v]) f_sent = f_sent | f_to[32'(f_p)*Vcs + v];
    for (int unsigned w = 0; w < Vcs; w++) begin
      if (f_send[v] && f_ready[w] && ((Islip == 0) || ((f_to[32'(f_p)*Vcs + w] & f_passes) != '0)) &&
          (f_steps(16'(f_pointer), 16'(w), 16'(Vcs)) < f_steps(16'(f_pointer), 16'(v), 16'(Vcs)))) f_turn = 1'b0;
    end
  end
end
always_comb begin
  f_wanted = '0;
  for (int unsigned p = 0; p < Ports; p++) begin
    f_column[p] = cross_o[p*Ports + 32'(f_o)];
    for (int unsigned v = 0; v < Vcs; v++) begin
      if (ready_i[p*Vcs + v] && to_i[(p*Vcs + v)*Ports + 32'(f_o)]) f_wanted[p] = 1'b1;
    end
  end
end

`ifndef FORMAL_NO_LEMMAS
logic [Ports*VcPointerW-1:0] f_pointers;
for (genvar p = 0; p < Ports; p = p + 1) begin : gen_f_lemma
  assign f_pointers[p*VcPointerW +: VcPointerW] = gen_input[p].vc_pointer_q;
end
always_comb if (f_started && rst_ni) begin
  l_pointer: assert (f_pointers[32'(f_p)*VcPointerW +: VcPointerW] == f_pointer);
end
`endif

always_comb if (f_started && rst_ni) begin
  // Only what is ready is sent: one VC per input port, one input port per output port, and there where it wants to go.
  a_ready: assert ((f_send & ~f_ready) == '0);
  a_one_vc: assert ((f_send & (f_send - 1'b1)) == '0);
  a_one_input: assert ((f_column & (f_column - 1'b1)) == '0);
  a_crosses: assert (f_passes == f_sent);
  // VCs of an input port take turns.
  a_turn: assert (f_turn);
  // Something is sent when something is ready.
  a_busy: assert ((ready_i == '0) || (send_o != '0));
  // Reachability: each must have a witness.
  c_waits: cover ((f_send == '0) && (f_ready != '0));
  c_busy:  cover ((f_column != '0) && ((f_wanted & ~f_column) != '0));
end

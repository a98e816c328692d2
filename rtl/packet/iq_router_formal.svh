// Properties of iq_router, proven without bound by scripts/formal, for blocks whose switch allocation, crossbar and credits
// have no cycles of their own (the others are these behind delay lines). Reset may come back at any time. Any packets come
// that keep to their credits and stay whole within a VC, by any hops; any credits come back of flits that have left.
// The ghost follows any packet of any fixed input VC, which alone has data of 1, and any fixed output VC; all of it is kept
// from the pins.

(* anyconst *) logic [PortW-1:0] f_p;  // input VC
(* anyconst *) logic [VcW-1:0]   f_v;
(* anyconst *) logic [PortW-1:0] f_o;  // output VC
(* anyconst *) logic [VcW-1:0]   f_w;
(* anyseq *)   logic             f_pick;  // follow the packet that begins now

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb begin
  if (!f_started) assume (!rst_ni);
  assume ((32'(f_p) < Ports) && (32'(f_v) < Vcs) && (32'(f_o) < Ports) && (32'(f_w) < Vcs));
end

// Neighbours: flits inside per input VC, and whether a packet has begun there; flits behind each output VC.
logic [All*CreditW-1:0] f_inside;
logic [All-1:0]         f_open;
logic [All*CreditW-1:0] f_behind;
logic [All-1:0]         f_comes;
logic [All-1:0]         f_leaves;   // a flit of the input VC, as its credit says
logic [All-1:0]         f_sent;     // by the output VC
logic [All-1:0]         f_returns;  // a credit of the output VC
for (genvar p = 0; p < Ports; p = p + 1) begin : gen_f_port
  always_comb if (rst_ni) begin
    if (flit_valid_i[p]) begin
      assume (32'(flit_vc_i[p*VcW +: VcW]) < Vcs);
      if (flit_head_i[p]) begin
        assume ((hop_count_i[p*CountW +: CountW] != '0) && (hop_vcs_i[p*Vcs +: Vcs] != '0));
        assume (32'(hop_count_i[p*CountW +: CountW]) <= Trunk);
        assume (32'(hop_first_i[p*PortW +: PortW]) + 32'(hop_count_i[p*CountW +: CountW]) <= Ports);
      end
    end
    if (credit_valid_i[p]) assume (32'(credit_vc_i[p*VcW +: VcW]) < Vcs);
  end
  for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_f_vc
    localparam int unsigned At = p * Vcs + v;
    assign f_comes[At]   = flit_valid_i[p] && (flit_vc_i[p*VcW +: VcW] == VcW'(v));
    assign f_leaves[At]  = credit_valid_o[p] && (credit_vc_o[p*VcW +: VcW] == VcW'(v));
    assign f_sent[At]    = flit_valid_o[p] && (flit_vc_o[p*VcW +: VcW] == VcW'(v));
    assign f_returns[At] = credit_valid_i[p] && (credit_vc_i[p*VcW +: VcW] == VcW'(v));
    always_comb if (rst_ni) begin
      if (f_comes[At]) assume ((32'(f_inside[At*CreditW +: CreditW]) < Buffer) && (flit_head_i[p] == !f_open[At]));
      if (f_returns[At]) assume (f_behind[At*CreditW +: CreditW] != '0);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        f_inside[At*CreditW +: CreditW] <= '0;
        f_behind[At*CreditW +: CreditW] <= '0;
        f_open[At]                      <= 1'b0;
      end else begin
        f_inside[At*CreditW +: CreditW] <= f_inside[At*CreditW +: CreditW] + CreditW'(f_comes[At]) - CreditW'(f_leaves[At]);
        f_behind[At*CreditW +: CreditW] <= f_behind[At*CreditW +: CreditW] + CreditW'(f_sent[At]) - CreditW'(f_returns[At]);
        if (f_comes[At]) f_open[At] <= !flit_tail_i[p];
      end
    end
  end
end

// The packet that is followed: it comes, some of its flits are inside behind others, it leaves.
logic               f_on;      // it has begun to come
logic               f_ended;   // its tail has come
logic [CreditW-1:0] f_before;  // flits of the VC before it
logic [CreditW-1:0] f_mine;    // its flits inside
logic               f_begins;
logic               f_more;    // a flit of it comes now
logic [CreditW-1:0] f_before_now;
logic [CreditW-1:0] f_mine_now;
logic [31:0]        f_in;
assign f_in     = 32'(f_p) * Vcs + 32'(f_v);
assign f_begins = f_pick && !f_on && f_comes[f_in] && flit_head_i[f_p];
assign f_more   = f_begins || (f_on && !f_ended && f_comes[f_in]);
assign f_before_now = f_begins ? f_inside[f_in*CreditW +: CreditW] : f_before;
assign f_mine_now   = (f_begins ? '0 : f_mine) + CreditW'(f_more);
for (genvar p = 0; p < Ports; p = p + 1) begin : gen_f_colour
  always_comb assume (flit_data_i[p*Width] == (f_more && (f_p == PortW'(p))));
end

logic [PortW-1:0]  f_first, f_first_now;
logic [CountW-1:0] f_ports, f_ports_now;
logic [Vcs-1:0]    f_vcs, f_vcs_now;
assign f_first_now = f_begins ? hop_first_i[f_p*PortW +: PortW] : f_first;
assign f_ports_now = f_begins ? hop_count_i[f_p*CountW +: CountW] : f_ports;
assign f_vcs_now   = f_begins ? hop_vcs_i[f_p*Vcs +: Vcs] : f_vcs;

logic f_goes;  // a flit of it leaves now
assign f_goes = f_leaves[f_in] && (f_before_now == '0) && (f_mine_now != '0);

// Where it is seen.
logic [Ports-1:0] f_shows;
logic [PortW-1:0] f_out;
logic [VcW-1:0]   f_out_vc;
logic             f_out_head;
always_comb begin
  f_out = '0;
  f_out_vc = '0;
  f_out_head = 1'b0;
  for (int unsigned p = 0; p < Ports; p++) begin
    f_shows[p] = flit_valid_o[p] && flit_data_o[p*Width];
    if (f_shows[p]) begin
      f_out      = PortW'(p);
      f_out_vc   = flit_vc_o[p*VcW +: VcW];
      f_out_head = flit_head_o[p];
    end
  end
end
logic             f_placed;  // its head has left, by
logic [PortW-1:0] f_at;
logic [VcW-1:0]   f_at_vc;
logic             f_whole;   // the output VC is between the packets
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_on     <= 1'b0;
    f_ended  <= 1'b0;
    f_before <= '0;
    f_mine   <= '0;
    f_placed <= 1'b0;
    f_whole  <= 1'b1;
  end else begin
    f_on     <= f_on || f_begins;
    f_ended  <= f_ended || (f_more && flit_tail_i[f_p]);
    f_before <= f_before_now - CreditW'(f_leaves[f_in] && (f_before_now != '0));
    f_mine   <= f_mine_now - CreditW'(f_goes);
    f_first  <= f_first_now;
    f_ports  <= f_ports_now;
    f_vcs    <= f_vcs_now;
    if (f_goes && !f_placed) begin
      f_placed <= 1'b1;
      f_at     <= f_out;
      f_at_vc  <= f_out_vc;
    end
    if (f_sent[32'(f_o) * Vcs + 32'(f_w)]) f_whole <= flit_tail_o[f_o];
  end
end

logic f_in_hop;  // the port where it is seen
assign f_in_hop = (32'(f_out) >= 32'(f_first_now)) && (32'(f_out) < 32'(f_first_now) + 32'(f_ports_now));
logic [31:0] f_to;
assign f_to = 32'(f_o) * Vcs + 32'(f_w);
always_comb if (f_started && rst_ni) begin
  // A credit goes back for a flit that is inside, and then a flit of the packet leaves if it is its turn: at one output.
  a_inside: assert (!f_leaves[f_in] || (f_inside[f_in*CreditW +: CreditW] != '0) || f_comes[f_in]);
  a_seen: assert ((f_shows != '0) == f_goes);
  a_once: assert ((f_shows & (f_shows - 1'b1)) == '0);
  // It leaves by its hop, whole, by one output VC; packets do not mix there.
  if (f_goes) begin
    a_hop: assert (f_in_hop && f_vcs_now[f_out_vc]);
    a_head: assert (f_out_head == !f_placed);
    a_way: assert (!f_placed || ((f_out == f_at) && (f_out_vc == f_at_vc)));
  end
  if (f_sent[f_to]) begin
    a_whole: assert (flit_head_o[f_o] == f_whole);
    // No flit without a place behind.
    a_credit: assert ((32'(f_behind[f_to*CreditW +: CreditW]) < Buffer) || f_returns[f_to]);
  end
  // Reachability: each must have a witness.
  c_goes:  cover (f_goes && f_placed && (f_mine_now == CreditW'(1)) && f_ended);
  c_waits: cover ((f_before != '0) && (f_mine != '0) && f_leaves[f_in]);
  c_full:  cover (f_sent[f_to] && (32'(f_behind[f_to*CreditW +: CreditW]) == Buffer) && f_returns[f_to]);
end

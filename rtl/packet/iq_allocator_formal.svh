// Properties of iq_allocator, proven without bound by scripts/formal. Reset may come back at any time; any requests and any
// positions of the requesters. The ghost are the positions of the resources, kept from the first round alone, as the data
// sheet says: behind the requester that was matched last.

(* anyconst *) logic [8:0] f_q;  // a requester
(* anyconst *) logic [8:0] f_r;  // a resource

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

logic [Resources*PointerW-1:0] f_pointer;
logic [Resources*PointerW-1:0] f_pointer_d;
always_comb begin
  f_pointer_d = f_pointer;
  for (int unsigned r = 0; r < Resources; r++) begin
    for (int unsigned q = 0; q < Requesters; q++) begin
      if (first_o[q*Resources + r]) f_pointer_d[r*PointerW +: PointerW] = PointerW'(q + 1);
    end
  end
end
always_ff @(posedge clk_i) f_pointer <= rst_ni ? f_pointer_d : '0;

always_comb begin
  assume (32'(f_q) < Requesters);
  assume (32'(f_r) < Resources);
  assume (32'(from_i[32'(f_q)*FromW +: FromW]) <= Resources);
  if (!f_started) assume (!rst_ni);
end

// Steps from a position on to a number.
function [15:0] f_steps(input [15:0] from, input [15:0] to, input [15:0] all);
  f_steps = ((from == all) || (to >= from)) ? (to - ((from == all) ? 16'd0 : from)) : (to + all - from);
endfunction

// What the requester is granted in the first round: resources to which no other one that asks is nearer; and of these the
// one that is nearest to its own position.
logic [Resources-1:0] f_granted;
logic [Resources-1:0] f_accepted;
always_comb begin
  f_granted = request_i[32'(f_q)*Resources +: Resources];
  for (int unsigned r = 0; r < Resources; r++) begin
    for (int unsigned q = 0; q < Requesters; q++) begin
      if (request_i[q*Resources + r] &&
          (f_steps(16'(f_pointer[r*PointerW +: PointerW]), 16'(q), 16'(Requesters)) <
           f_steps(16'(f_pointer[r*PointerW +: PointerW]), 16'(f_q), 16'(Requesters)))) f_granted[r] = 1'b0;
    end
  end
end
always_comb begin
  f_accepted = f_granted;
  for (int unsigned r = 0; r < Resources; r++) begin
    for (int unsigned s = 0; s < Resources; s++) begin
      if (f_granted[s] && (f_steps(16'(from_i[32'(f_q)*FromW +: FromW]), 16'(s), 16'(Resources)) <
                           f_steps(16'(from_i[32'(f_q)*FromW +: FromW]), 16'(r), 16'(Resources)))) f_accepted[r] = 1'b0;
    end
  end
end

logic [Resources-1:0]  f_row;
logic [Requesters-1:0] f_column;
assign f_row = match_o[32'(f_q)*Resources +: Resources];
always_comb begin
  for (int unsigned q = 0; q < Requesters; q++) f_column[q] = match_o[q*Resources + 32'(f_r)];
end

logic f_matched;  // the requester or the resource
logic f_enough;   // rounds
assign f_matched = (f_row != '0) || (f_column != '0);
assign f_enough  = (Rounds >= Requesters) || (Rounds >= Resources);

`ifndef FORMAL_NO_LEMMAS
always_comb if (f_started && rst_ni) begin
  l_pointer: assert (pointer_q == f_pointer);
end
`endif

always_comb if (f_started && rst_ni) begin
  // The first round is that of the data sheet.
  a_first: assert (first_o[32'(f_q)*Resources +: Resources] == f_accepted);
  // Nobody gets what it has not asked for; one resource per requester, one requester per resource.
  a_asked: assert ((f_row & ~request_i[32'(f_q)*Resources +: Resources]) == '0);
  a_one_resource: assert ((f_row & (f_row - 1'b1)) == '0);
  a_one_requester: assert ((f_column & (f_column - 1'b1)) == '0);
  // Later rounds only add.
  a_kept: assert ((first_o[32'(f_q)*Resources +: Resources] & ~f_row) == '0);
  // As many rounds as there are requesters or resources leave no pair that could be matched.
  a_maximal: assert (f_matched || !f_enough || !request_i[32'(f_q)*Resources + 32'(f_r)]);
  // Reachability: each must have a witness.
  c_later:   cover ((f_row != '0) && (first_o[32'(f_q)*Resources +: Resources] == '0));
  c_refused: cover ((f_granted == '0) && (request_i[32'(f_q)*Resources +: Resources] != '0));
  c_chooses: cover (f_granted != f_accepted);
end

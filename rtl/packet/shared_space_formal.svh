// Properties of shared_space, proven without bound by scripts/formal, for any shares that fit the data sheet. Reset may
// come back at any time; in each cycle any VLs give back, and one takes at most its room. The ghosts are the places that
// VLs use, kept from the pins alone.

localparam int unsigned FormalW = CountW + 5;  // of sums over all VLs

(* anyconst *) logic [NumVl*CountW-1:0] f_minimum;
(* anyconst *) logic [NumVl*CountW-1:0] f_maximum;
(* anyconst *) logic [CountW-1:0]       f_shared;
(* anyconst *) logic [$clog2(NumVl + 1)-1:0] f_vl;  // any VL

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

logic [NumVl*CountW-1:0] f_used_q;
logic [NumVl*CountW-1:0] f_used;      // without what is given back in this cycle
logic [FormalW-1:0]      f_capacity;
logic [FormalW-1:0]      f_all;       // places in use
logic [FormalW-1:0]      f_beyond;    // of the shared ones
logic [NumVl-1:0]        f_takes;
logic                    f_fit;       // what the assumptions demand
integer f_i;
always_comb begin
  f_capacity = FormalW'(f_shared);
  f_all      = '0;
  f_beyond   = '0;
  f_fit      = 1'b1;
  for (f_i = 0; f_i < NumVl; f_i = f_i + 1) begin
    f_used[f_i*CountW +: CountW] = f_used_q[f_i*CountW +: CountW] - give_i[f_i*CountW +: CountW];
    f_takes[f_i] = take_i[f_i*CountW +: CountW] != '0;
    f_capacity = f_capacity + FormalW'(f_minimum[f_i*CountW +: CountW]);
    f_all      = f_all + FormalW'(f_used[f_i*CountW +: CountW]);
    if (f_used[f_i*CountW +: CountW] > f_minimum[f_i*CountW +: CountW]) begin
      f_beyond = f_beyond + FormalW'(f_used[f_i*CountW +: CountW] - f_minimum[f_i*CountW +: CountW]);
    end
    if (give_i[f_i*CountW +: CountW] > f_used_q[f_i*CountW +: CountW]) f_fit = 1'b0;
    if (take_i[f_i*CountW +: CountW] > room_o[f_i*CountW +: CountW]) f_fit = 1'b0;
    if (f_minimum[f_i*CountW +: CountW] > f_maximum[f_i*CountW +: CountW]) f_fit = 1'b0;
  end
  for (f_i = 0; f_i < NumVl; f_i = f_i + 1) begin
    if (FormalW'(f_maximum[f_i*CountW +: CountW]) > f_capacity) f_fit = 1'b0;
  end
  if ((f_takes & (f_takes - NumVl'(1))) != '0) f_fit = 1'b0;
  if (f_capacity > FormalW'({CountW{1'b1}})) f_fit = 1'b0;
end
always_comb begin
  assume (minimum_i == f_minimum);
  assume (maximum_i == f_maximum);
  assume (shared_i == f_shared);
  assume (32'(f_vl) < NumVl);
  if (!f_started) assume (!rst_ni);
  if (rst_ni) assume (f_fit);
end
always_ff @(posedge clk_i) f_used_q <= rst_ni ? (f_used + take_i) : '0;  // one VL takes: no carry between VLs

// Of the VL: what the rule of the data sheet gives it.
logic [FormalW-1:0] f_own;
logic [FormalW-1:0] f_mine;
logic [FormalW-1:0] f_most;
logic [FormalW-1:0] f_rest;
logic [FormalW-1:0] f_left;
logic [FormalW-1:0] f_room;
always_comb begin
  f_mine = FormalW'(f_used[f_vl*CountW +: CountW]);
  f_own  = FormalW'(f_minimum[f_vl*CountW +: CountW]);
  f_most = FormalW'(f_maximum[f_vl*CountW +: CountW]) - f_mine;
  f_rest = (f_mine < f_own) ? (f_own - f_mine) : '0;
  f_left = f_rest + FormalW'(f_shared) - f_beyond;
  f_room = (f_left < f_most) ? f_left : f_most;
end

always_comb if (f_started && rst_ni) begin
  a_room:     assert (FormalW'(room_o[f_vl*CountW +: CountW]) == f_room);
  a_capacity: assert (f_all + f_room <= f_capacity);
  a_maximum:  assert (f_mine <= FormalW'(f_maximum[f_vl*CountW +: CountW]));
  a_own:      assert (FormalW'(room_o[f_vl*CountW +: CountW]) >= f_rest);
  // Reachability: each must have a witness.
  c_all_used: cover ((f_all == f_capacity) && (f_capacity > FormalW'(2)));
  c_borrowed: cover ((f_mine > f_own) && (f_own != '0));
end

`ifndef FORMAL_NO_LEMMAS
// The registers are those of the ghost, and no more is borrowed than there is: this makes the properties inductive.
logic [NumVl-1:0] f_same;
for (genvar f_g = 0; f_g < NumVl; f_g = f_g + 1) begin : gen_lemma
  assign f_same[f_g] = (gen_vl[f_g].used_q == f_used_q[f_g*CountW +: CountW]) &&
                       (f_used_q[f_g*CountW +: CountW] <= f_maximum[f_g*CountW +: CountW]);
end
always_comb if (f_started) begin
  l_used:     assert (f_same == '1);
  l_borrowed: assert (!rst_ni || (f_beyond <= FormalW'(f_shared)));
end
`endif

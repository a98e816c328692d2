// Properties of egress_port, proven without bound by scripts/formal. Reset may come back at any time; tables may be written
// at any time; any shares of the two buffers that fit the data sheet; any places are reserved, any messages come into them,
// any credits come back of flits that have left. The ghosts are the flits of each VL, and any flit and any message of any
// fixed VL with the number of those before it; all of it is kept from the pins.

(* anyconst *) logic [VlW-1:0]          f_vl;
(* anyconst *) logic [NumVl*PlaceW-1:0] f_minimum;
(* anyconst *) logic [NumVl*PlaceW-1:0] f_maximum;
(* anyconst *) logic [PlaceW-1:0]       f_shared;
(* anyconst *) logic [NumVl*NextW-1:0]  f_next_minimum;
(* anyconst *) logic [NumVl*NextW-1:0]  f_next_maximum;
(* anyconst *) logic [NextW-1:0]        f_next_shared;
(* anyseq *)   logic                    f_pick;   // follow a flit that comes now
(* anyseq *)   logic [RateW-1:0]        f_which;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

// Flits of each VL: reserved and still to come, inside, and in the next buffer.
logic [NumVl*PlaceW-1:0] f_to_come;
logic [NumVl*PlaceW-1:0] f_inside;
logic [NumVl*NextW-1:0]  f_behind;
logic [SizeW-1:0]        f_in_left;  // of the message that is coming
logic [VlW-1:0]          f_in_vl;
logic [SizeW-1:0]        f_left;     // the same, with this cycle's
logic                    f_first;    // a message begins to come
assign f_first = (flits_i != '0) && head_i;
assign f_left  = f_first ? size_i : f_in_left;

localparam int unsigned SumW  = PlaceW + 5;
localparam int unsigned NsumW = NextW + 5;
logic [SumW-1:0]   f_capacity;
logic [SumW-1:0]   f_beyond;      // of the shared places, without what leaves in this cycle
logic [SumW-1:0]   f_used;
logic [SumW-1:0]   f_mine;
logic [NsumW-1:0]  f_next_capacity;
logic [NsumW-1:0]  f_all_behind;
logic [NumVl-1:0]  f_takes;
logic              f_fit;         // what the data sheet demands of the pins
integer            f_i;
always_comb begin
  f_capacity      = SumW'(f_shared);
  f_next_capacity = NsumW'(f_next_shared);
  f_beyond        = '0;
  f_mine          = '0;
  f_all_behind    = '0;
  f_fit           = 1'b1;
  for (f_i = 0; f_i < NumVl; f_i = f_i + 1) begin
    f_used = SumW'(f_to_come[f_i*PlaceW +: PlaceW]) + SumW'(f_inside[f_i*PlaceW +: PlaceW])
             - SumW'(link_valid_o && (32'(link_vl_o) == f_i));
    if (32'(f_vl) == f_i) f_mine = f_used;
    if (f_used > SumW'(f_minimum[f_i*PlaceW +: PlaceW])) f_beyond = f_beyond + f_used - SumW'(f_minimum[f_i*PlaceW +: PlaceW]);
    f_takes[f_i]    = reserve_i[f_i*PlaceW +: PlaceW] != '0;
    f_capacity      = f_capacity + SumW'(f_minimum[f_i*PlaceW +: PlaceW]);
    f_next_capacity = f_next_capacity + NsumW'(f_next_minimum[f_i*NextW +: NextW]);
    f_all_behind    = f_all_behind + NsumW'(f_behind[f_i*NextW +: NextW]);
    if (reserve_i[f_i*PlaceW +: PlaceW] > room_o[f_i*PlaceW +: PlaceW]) f_fit = 1'b0;
    if (credit_i[f_i*NextW +: NextW] > f_behind[f_i*NextW +: NextW]) f_fit = 1'b0;
    if (f_minimum[f_i*PlaceW +: PlaceW] > f_maximum[f_i*PlaceW +: PlaceW]) f_fit = 1'b0;
    if (f_next_minimum[f_i*NextW +: NextW] > f_next_maximum[f_i*NextW +: NextW]) f_fit = 1'b0;
  end
  for (f_i = 0; f_i < NumVl; f_i = f_i + 1) begin
    if (SumW'(f_maximum[f_i*PlaceW +: PlaceW]) > f_capacity) f_fit = 1'b0;
    if (NsumW'(f_next_maximum[f_i*NextW +: NextW]) > f_next_capacity) f_fit = 1'b0;
  end
  if ((f_takes & (f_takes - NumVl'(1))) != '0) f_fit = 1'b0;
  if (f_capacity > SumW'(Depth)) f_fit = 1'b0;
  if (f_next_capacity > NsumW'(NextDepth)) f_fit = 1'b0;
  // Messages come whole, into places that are reserved for all of their flits.
  if ((32'(flits_i) > Rate) || ((flits_i != '0) && (32'(vl_i) >= NumVl))) f_fit = 1'b0;
  if (f_in_left == '0) begin
    if (flits_i != '0) begin
      if (!head_i || (size_i == '0) || (32'(sl_i) >= NumSl)) f_fit = 1'b0;
      if (32'(size_i) > 32'(f_to_come[vl_i*PlaceW +: PlaceW])) f_fit = 1'b0;
    end
  end else if (head_i || (flits_i == '0) || (vl_i != f_in_vl)) f_fit = 1'b0;
  if (32'(flits_i) > 32'(f_left)) f_fit = 1'b0;
end
always_comb begin
  assume (minimum_i == f_minimum);
  assume (maximum_i == f_maximum);
  assume (shared_i == f_shared);
  assume (next_minimum_i == f_next_minimum);
  assume (next_maximum_i == f_next_maximum);
  assume (next_shared_i == f_next_shared);
  assume (32'(f_vl) < NumVl);
  if (!f_started) assume (!rst_ni);
  if (rst_ni) assume (f_fit);
end
for (genvar v = 0; v < NumVl; v = v + 1) begin : gen_f_vl
  logic [PlaceW-1:0] f_come;
  logic              f_leave;
  assign f_come  = (vl_i == VlW'(v)) ? PlaceW'(flits_i) : '0;
  assign f_leave = link_valid_o && (link_vl_o == VlW'(v));
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      f_to_come[v*PlaceW +: PlaceW] <= '0;
      f_inside[v*PlaceW +: PlaceW]  <= '0;
      f_behind[v*NextW +: NextW]    <= '0;
    end else begin
      f_to_come[v*PlaceW +: PlaceW] <= f_to_come[v*PlaceW +: PlaceW] + reserve_i[v*PlaceW +: PlaceW] - f_come;
      f_inside[v*PlaceW +: PlaceW]  <= f_inside[v*PlaceW +: PlaceW] + f_come - PlaceW'(f_leave);
      f_behind[v*NextW +: NextW]    <= f_behind[v*NextW +: NextW] + NextW'(f_leave) - credit_i[v*NextW +: NextW];
    end
  end
end

// The flit and the message that are followed. The message is that of the flit, if the flit is its head.
logic              f_flit;         // inside
logic [PlaceW-1:0] f_before;       // flits of the VL before it
logic              f_head;
logic              f_tail;
logic [Width-1:0]  f_data;
logic              f_message;      // not granted yet
logic [PlaceW-1:0] f_waiting;      // messages of the VL not granted yet
logic [PlaceW-1:0] f_ahead;        // those before it
logic [SlW-1:0]    f_sl;
logic [SizeW-1:0]  f_size;
logic              f_picked;
logic              f_granted;      // a message of the VL
logic              f_leaves;       // a flit of the VL
assign f_picked  = f_pick && !f_flit && !f_message && (vl_i == f_vl) && (f_which < flits_i);
assign f_granted = grant_o && (grant_vl_o == f_vl);
assign f_leaves  = link_valid_o && (link_vl_o == f_vl);
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_in_left <= '0;
    f_flit    <= 1'b0;
    f_message <= 1'b0;
    f_waiting <= '0;
  end else begin
    f_in_left <= f_left - SizeW'(flits_i);
    f_waiting <= f_waiting + PlaceW'(f_first && (vl_i == f_vl)) - PlaceW'(f_granted);
    if (f_picked) begin
      f_flit    <= 1'b1;
      f_message <= head_i && (f_which == '0);
    end else begin
      if (f_leaves && (f_before == '0)) f_flit <= 1'b0;
      if (f_granted && (f_ahead == '0)) f_message <= 1'b0;
    end
  end
end
always_ff @(posedge clk_i) begin
  if (f_first) f_in_vl <= vl_i;
  if (f_picked) begin
    f_before <= f_inside[f_vl*PlaceW +: PlaceW] - PlaceW'(f_leaves) + PlaceW'(f_which);
    f_head   <= head_i && (f_which == '0);
    f_tail   <= 32'(f_left) == 32'(f_which) + 32'd1;
    f_data   <= data_i[f_which*Width +: Width];
    f_ahead  <= f_waiting - PlaceW'(f_granted);
    f_sl     <= sl_i;
    f_size   <= size_i;
  end else begin
    f_before <= f_before - PlaceW'(f_leaves);
    f_ahead  <= f_ahead - PlaceW'(f_granted);
  end
end

// The link one cycle ago, and the grants that must begin on it now.
logic           f_was;
logic           f_ended;
logic [VlW-1:0] f_was_vl;
logic           f_begins;
logic [VlW-1:0] f_begins_vl;
logic [Output*(1+VlW)-1:0] f_due;
assign {f_begins, f_begins_vl} = f_due[Output*(1+VlW)-1 -: 1+VlW];
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_was <= 1'b0;
    f_due <= '0;
  end else begin
    f_was <= link_valid_o;
    f_due <= (Output*(1+VlW))'({f_due, grant_o, grant_vl_o});
  end
  f_ended  <= link_tail_o;
  f_was_vl <= link_vl_o;
end

// Any SL: the VL behind the one that it used last, and how far behind it, in cyclic order, a VL is.
(* anyconst *) logic [SlW-1:0] f_turn_sl;
logic [VlW-1:0] f_from;
logic [31:0]    f_far;       // of the VL
logic [31:0]    f_far_next;  // of the VL that is granted
logic           f_ready;     // the message can go, but for other messages
assign f_far      = (32'(f_vl) + 32'(NumVl) - 32'(f_from)) % 32'(NumVl);
assign f_far_next = (32'(grant_vl_o) + 32'(NumVl) - 32'(f_from)) % 32'(NumVl);
assign f_ready    = f_message && (f_ahead == '0) && (32'(f_size) <= 32'(credits_o[f_vl*NextW +: NextW]));
always_ff @(posedge clk_i) begin
  if (!rst_ni) f_from <= '0;
  else if (grant_o && (grant_sl_o == f_turn_sl)) f_from <= (32'(grant_vl_o) == NumVl - 1) ? '0 : grant_vl_o + VlW'(1);
end

// Room of the VL by the rule of the data sheet.
logic [SumW-1:0] f_own;
logic [SumW-1:0] f_most;
logic [SumW-1:0] f_room;
always_comb begin
  f_own  = SumW'(f_minimum[f_vl*PlaceW +: PlaceW]);
  f_most = SumW'(f_maximum[f_vl*PlaceW +: PlaceW]) - f_mine;
  f_room = ((f_mine < f_own) ? (f_own - f_mine) : '0) + SumW'(f_shared) - f_beyond;
  if (f_room > f_most) f_room = f_most;
end

always_comb if (f_started && rst_ni) begin
  // Flits of a VL are sent in the order in which they came, as they came, with the marks of their message.
  if (f_leaves) begin
    a_exists: assert (f_inside[f_vl*PlaceW +: PlaceW] != '0);
  end
  if (f_leaves && f_flit && (f_before == '0)) begin
    a_data: assert (link_data_o == f_data);
    a_head: assert (link_head_o == f_head);
    a_tail: assert (link_tail_o == f_tail);
  end
  // A message that has begun stays alone on the link, without a gap.
  if (f_was && !f_ended) begin
    a_together: assert (link_valid_o && !link_head_o && (link_vl_o == f_was_vl));
  end
  // Each begins Output cycles after its grant, and no other does.
  a_start: assert ((link_head_o == f_begins) && (!f_begins || (link_vl_o == f_begins_vl)));
  // Messages of a VL are granted in their order, with their SL, when the next buffer has room for the whole.
  if (f_granted) begin
    a_message: assert (f_waiting != '0);
  end
  if (f_granted && f_message && (f_ahead == '0)) begin
    a_sl:   assert (grant_sl_o == f_sl);
    a_room: assert (32'(f_size) <= 32'(credits_o[f_vl*NextW +: NextW]));
  end
  // The scheduler is asked when the link is free for the next message, and told of each that can go.
  if ((Output == 1) && (Scheduler != 2)) begin
    a_asked: assert (decide == (!link_valid_o || link_tail_o));
  end
  if (f_ready) begin
    a_active: assert (active[f_sl]);
  end
  // VLs of an SL take turns.
  if (f_ready && grant_o && (grant_sl_o == f_sl) && (f_sl == f_turn_sl)) begin
    a_turn: assert (f_far_next <= f_far);
  end
  // No VL is sent more than the next buffer can take.
  a_next_maximum:  assert (f_behind[f_vl*NextW +: NextW] <= f_next_maximum[f_vl*NextW +: NextW]);
  a_next_capacity: assert (f_all_behind <= f_next_capacity);
  // The allocator is told the places that the shares leave.
  a_space: assert (SumW'(room_o[f_vl*PlaceW +: PlaceW]) == f_room);
  a_quiet:     assert (grant_o || ((grant_sl_o == '0) && (grant_vl_o == '0)));
  a_idle_link: assert (link_valid_o || ({link_head_o, link_tail_o, link_vl_o, link_data_o} == '0));
  // Reachability: each must have a witness.
  c_behind: cover (f_leaves && f_flit && (f_before == PlaceW'(1)) && !f_head);
  c_two:    cover (f_granted && f_message && (f_ahead == PlaceW'(1)));
  c_again:  cover (link_head_o && f_was && (link_vl_o != f_was_vl));
  c_turn:   cover (f_ready && grant_o && (grant_sl_o == f_sl) && (f_sl == f_turn_sl) && (grant_vl_o != f_vl));
  c_full:   cover ((f_all_behind == f_next_capacity) && (f_next_capacity > NsumW'(1)));
end

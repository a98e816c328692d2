// Properties of message_queue, proven without bound by scripts/formal. Reset may come back at any time. The ghosts follow the
// queue from its pins alone: how many messages are in it, which word of its head is due, and the length of one message,
// chosen when it enters, with the number of messages before it.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb if (!f_started) assume (!rst_ni);

localparam int unsigned FormalW = $clog2(Messages + 2);

logic [FormalW-1:0] f_count_q;   // messages in the queue before this cycle
logic [SizeW-1:0]   f_index_q;   // word of the head that is due
(* anyseq *) logic  f_choose;    // follow the message that enters in this cycle
logic               f_follows_q; // a message is followed
logic [FormalW-1:0] f_before_q;  // messages before it
logic [SizeW-1:0]   f_last_q;    // its length

logic f_enters, f_leaves, f_head, f_here;
assign f_enters = msg_valid_i && msg_ready_o;
assign f_leaves = take_i && valid_o && last_o;
assign f_here   = f_choose && f_enters && !f_follows_q;             // it enters
assign f_head   = f_follows_q ? (f_before_q == '0) : (f_here && (f_count_q == '0));

always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_count_q   <= '0;
    f_index_q   <= '0;
    f_follows_q <= 1'b0;
    f_before_q  <= '0;
  end else begin
    f_count_q <= f_count_q + FormalW'(f_enters) - FormalW'(f_leaves);
    if (take_i && valid_o) f_index_q <= last_o ? '0 : (f_index_q + SizeW'(1));
    if (f_here) begin
      f_last_q    <= msg_last_i;
      f_before_q  <= f_count_q - FormalW'(f_leaves && (f_count_q != '0));
      f_follows_q <= !(f_leaves && (f_count_q == '0));
    end else if (f_follows_q && f_leaves) begin
      f_before_q  <= f_before_q - FormalW'(1);
      f_follows_q <= f_before_q != '0;
    end
  end
end

logic [SizeW-1:0] f_length;  // of the message followed
assign f_length = f_follows_q ? f_last_q : msg_last_i;

// Place of the message that is followed, and that behind all.
localparam int unsigned FormalPlaceW = PlaceW + 1;
logic [FormalPlaceW:0] f_place, f_tail;
assign f_place = (FormalPlaceW+1)'(head_q) + (FormalPlaceW+1)'(f_before_q);
assign f_tail  = (FormalPlaceW+1)'(head_q) + (FormalPlaceW+1)'(count_q);

always_comb if (f_started && rst_ni) begin
  a_valid: assert (valid_o == ((f_count_q != '0) || msg_valid_i));
  a_ready: assert (msg_ready_o == (32'(f_count_q) < Messages));
  a_index: assert (index_o == f_index_q);
  a_first: assert (first_o == (valid_o && (f_index_q == '0)));
  // The last word of a message is that which its length says, in the order in which messages came.
  if (f_head && valid_o) begin
    a_last: assert (last_o == (f_index_q == f_length));
  end
  if (!valid_o) begin
    a_quiet: assert (!last_o);
  end
`ifndef FORMAL_NO_LEMMAS
  // The registers are those of the ghost, and the place of the message that is followed: this makes the properties inductive.
  l_count:  assert (32'(count_q) == 32'(f_count_q));
  l_index:  assert (index_q == f_index_q);
  l_places: assert ((32'(f_tail) == 32'(tail_q)) || (32'(f_tail) == 32'(tail_q) + Messages));
  l_range:  assert ((32'(head_q) < Messages) && (32'(tail_q) < Messages) && (32'(count_q) <= Messages));
  if (f_follows_q) begin
    l_before: assert (f_before_q < f_count_q);
    l_length: assert (mem_q[PlaceW'((32'(f_place) < Messages) ? 32'(f_place) : (32'(f_place) - Messages))] == f_last_q);
  end
`endif
  // Reachability: each must have a witness.
  c_second:  cover (f_follows_q && f_head && f_leaves && (f_last_q != '0));
  c_through: cover (f_here && f_head && f_leaves);
  c_full:    cover (msg_valid_i && !msg_ready_o && f_leaves);
end

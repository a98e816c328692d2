// Properties of setup_request, proven without bound by scripts/formal: which rows are asked and reserved, with which slots, and
// when a request is late. Reset may come back at any time. What slot_choice chooses is proven by itself.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

// Inputs of the request; they are stable until it is over.
localparam int unsigned FormalW = 2 + 2 * CountW + Ports + 3 * Slots + 2 * SlotW + 7 * TimeW;
logic [FormalW-1:0] f_inputs, f_inputs_q;
assign f_inputs = {update_i, first_i, frame_i, wanted_i, outs_i, common_i, slots_i, source_i, lane_i, shift_i, lag_i, wire_i,
                   departure_i, ack_at_i, route_start_i, hold_i, first_word_i};

logic             f_busy_q;
logic [Ports:0]   f_query_q, f_reserve_q;  // rows still to be asked, to be reserved
logic             f_fresh_q;               // the next query does not go on from the answer before
logic             f_last_q;                // the last query was in the cycle before
logic [Slots-1:0] f_free_q;                // its answer
logic             f_asked_q;               // the table was asked in the cycle before
logic [TimeW-1:0] f_begin_q;               // first cycle in which the source may send

logic f_query, f_reserve;
assign f_query   = lut_valid_o && !lut_reserve_o;
assign f_reserve = lut_valid_o && lut_reserve_o;

// The source begins when the ACK is there, the entries are in force and the other switches allow it; later ones must keep to that.
logic [TimeW-1:0] f_force, f_ack, f_begin;
assign f_force = tbl_at_i - (update_i ? departure : departure_i);
assign f_ack   = ($signed(f_force) < $signed(ack_at_i)) ? ack_at_i : f_force;
assign f_begin = !first_i ? first_word_i
                          : hold_i + (($signed(f_ack) < $signed(route_start_i)) ? route_start_i : f_ack);

always_comb begin
  if (!f_started) assume (!rst_ni);
  if (start_i) assume (!f_busy_q && (outs_i != '0));
  assume ((32'(frame_i) >= 2) && (32'(frame_i) <= Slots) && (wanted_i != '0) && (wanted_i <= frame_i));
  if (f_busy_q) assume (f_inputs == f_inputs_q);
end

always_ff @(posedge clk_i) begin
  f_inputs_q <= f_inputs;
  f_last_q   <= f_query && ((f_query_q & (f_query_q - (Ports + 1)'(1))) == '0);
  f_asked_q  <= rst_ni && tbl_ask_o;
  if (f_last_q) f_free_q <= lut_free_i;
  if (f_asked_q) f_begin_q <= f_begin;
  if (!rst_ni) begin
    f_busy_q <= 1'b0;
  end else if (start_i) begin
    f_busy_q    <= 1'b1;
    f_query_q   <= {outs_i, first_i};
    f_reserve_q <= {outs_i, first_i};
    f_fresh_q   <= 1'b1;
  end else begin
    if (granted_o || refused_o) f_busy_q <= 1'b0;
    if (f_query) f_query_q <= f_query_q & (f_query_q - (Ports + 1)'(1));
    if (f_query) f_fresh_q <= update_i && f_query_q[0];
    if (f_reserve) f_reserve_q <= f_reserve_q & (f_reserve_q - (Ports + 1)'(1));
  end
end

always_comb if (f_started && rst_ni) begin
  a_quiet: assert (f_busy_q || !(lut_valid_o || tbl_ask_o || granted_o || late_o));
  if (f_query) begin
    a_asks:   assert ((lut_rows_o == f_query_q) && (f_query_q != '0));
    a_vector: assert (lut_slots_o == (f_fresh_q ? ((update_i && !lut_rows_o[0]) ? frame_slots : common_i) : lut_free_i));
  end
  if (f_reserve) begin
    a_takes: assert ((f_query_q == '0) && (lut_rows_o == f_reserve_q) && (f_reserve_q != '0));
    a_taken: assert (lut_slots_o == (lut_rows_o[0] ? came_o : slots_o));
    a_free:  assert (common_o == (update_i ? common_i : f_free_q));
    a_begin: assert (first_word_o == f_begin_q);
  end
  a_granted: assert (granted_o == (f_reserve && ((f_reserve_q & (f_reserve_q - (Ports + 1)'(1))) == '0)));
  a_refused: assert (!refused_o || (f_busy_q && (f_query_q == '0) && !f_reserve));
  if (tbl_ask_o) begin
    a_table: assert ((f_query_q == '0) && (f_reserve_q == {outs_i, first_i}));
  end
  a_late: assert (late_o == (f_asked_q && ($signed(f_force - f_begin) > 0)));
  if (late_o) begin
    a_late_by: assert (refused_o && (late_by_o == f_force - f_begin));
  end
  // Reachability: each must have a witness.
  c_late: cover (late_o);
  c_own:  cover (granted_o && update_i && first_i);
  c_same: cover (granted_o && !update_i && !first_i);
end

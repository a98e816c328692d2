// Properties of circuit_records, proven without bound by scripts/formal. Reset may come back at any time. One record is followed
// from the pins alone: number f_at, any one. What a circuit's branches have answered is put together by the rules of
// docs/fic_setup.md, each for itself.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

(* anyconst *) logic [RecordW-1:0] f_at;
logic               f_valid_q, f_lost_q, f_first_q, f_withdrawing_q;
logic [KeyW-1:0]    f_key_q;
logic [PortW-1:0]   f_in_q;
logic [Ports-1:0]   f_outs_q, f_hosts_q, f_accepted_q, f_ended_q, f_failed_q;
logic [Slots-1:0]   f_slots_q, f_came_q;
logic [WordW-1:0]   f_words_q;    // the lowest that an accepting branch has named
logic               f_refused_q;  // a branch has been refused; those that were withdrawn say nothing of slots and time
logic [Slots-1:0]   f_common_q;   // slots that every refused one has left
logic [TimeW-1:0]   f_late_q;     // lateness of the latest refused one
logic [TimeW-1:0]   f_cleared_q;  // the latest time that any branch has named
logic [1:0]         f_grade_q;    // of the teardown that tells for all
logic               f_withdrawn_q;
logic [1:0]         f_cause_q;
logic [InfoW-1:0]   f_info_q;
logic [PortW+1:0]   f_untold_q;   // teardowns of the lost circuit that have not left

logic [1:0] f_grade;
assign f_grade = withdrawn_i ? 2'd0 : (cause_i == 2'd2) ? 2'd1 : (cause_i == 2'd0) ? 2'd2 : 2'd3;  // withdrawn, late, taken, down

logic       f_mine, f_ends, f_more, f_refuses;
logic [7:0] f_strobes;
assign f_mine    = record_i == f_at;
assign f_ends    = f_mine && end_i;
assign f_more    = f_ended_q != '0;  // not the first branch to end
assign f_refuses = f_ends && !withdrawn_i;
assign f_strobes = {install_i, accept_i, end_i, withdraw_i, remove_i, lose_i, notice_i, told_i};

always_comb begin
  if (!f_started) assume (!rst_ni);
  assume ((f_strobes & (f_strobes - 8'd1)) == '0);
  if (f_strobes != '0) assume (32'(record_i) < Circuits);
  if (install_i) assume ((32'(in_i) < Ports) && (slots_i != '0));
  if (f_mine) begin
    if (install_i) assume (!f_valid_q);
    if (accept_i || end_i || withdraw_i || remove_i || lose_i) assume (f_valid_q && !f_lost_q);
    if (accept_i || end_i) assume ((branch_i != '0) && ((branch_i & ~f_outs_q) == '0));
    if (remove_i) assume ((slots_i != '0) && ((slots_i & ~f_slots_q) == '0));
    if (notice_i) assume (f_valid_q && f_lost_q && (32'(f_untold_q) < Ports));
    if (told_i) assume (f_valid_q && f_lost_q && (f_untold_q != '0));
  end
end

always_ff @(posedge clk_i) if (f_mine) begin
  if (install_i) begin
    {f_key_q, f_first_q, f_in_q, f_outs_q, f_hosts_q, f_slots_q, f_came_q} <= {key_i, first_i, in_i, outs_i, hosts_i, slots_i, came_i};
    {f_accepted_q, f_ended_q, f_withdrawing_q, f_refused_q, f_untold_q} <= '0;
  end
  if (accept_i) begin
    f_accepted_q <= f_accepted_q | branch_i;
    f_words_q    <= ((f_accepted_q != '0) && (f_words_q < words_i)) ? f_words_q : words_i;
  end
  if (end_i || withdraw_i) f_withdrawing_q <= 1'b1;
  if (f_ends) begin
    f_ended_q   <= f_ended_q | branch_i;
    f_cleared_q <= (f_more && ($signed(f_cleared_q) > $signed(cleared_i))) ? f_cleared_q : cleared_i;
    if (!f_more || (f_grade > f_grade_q)) {f_grade_q, f_withdrawn_q, f_cause_q, f_info_q} <= {f_grade, withdrawn_i, cause_i, info_i};
  end
  if (f_refuses) begin
    f_refused_q <= 1'b1;
    f_common_q  <= f_refused_q ? (f_common_q & common_i) : common_i;
    f_late_q    <= (f_refused_q && ($signed(f_late_q) >= $signed(late_i))) ? f_late_q : late_i;
  end
  if (remove_i) f_slots_q <= f_slots_q & ~slots_i;
  if (lose_i) {f_failed_q, f_cleared_q} <= {failed_i, cleared_i};
  if (notice_i) f_untold_q <= f_untold_q + 1'b1;
  if (told_i) f_untold_q <= f_untold_q - 1'b1;
end

always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    {f_valid_q, f_lost_q} <= '0;
  end else if (f_mine) begin
    if (install_i) {f_valid_q, f_lost_q} <= 2'b10;
    if (lose_i) f_lost_q <= 1'b1;
    if ((remove_i && (slots_i == f_slots_q)) || (told_i && (f_untold_q == 1))) f_valid_q <= 1'b0;
  end
end

logic f_matches;  // what is searched
assign f_matches = f_valid_q && (f_lost_q == lost_i) && (f_key_q == key_i);

always_comb if (f_started && rst_ni) begin
  // Search: what is there is found, and what is found is there.
  a_hit:     assert (hit_o || !f_matches);
  a_hit_at:  assert (!hit_o || (hit_at_o != f_at) || f_matches);
  a_room:    assert (room_o || f_valid_q || (32'(f_at) >= Circuits));
  a_room_at: assert (!room_o || (room_at_o != f_at) || (!f_valid_q && (32'(f_at) < Circuits)));
  if ((scan_i == f_at) && (32'(f_at) < Circuits)) begin
    a_crosses:  assert (crosses_o == (f_valid_q && !f_lost_q && ((failed_i & (f_outs_q | (Ports'(1) << f_in_q))) != '0)));
    a_scan_key: assert ((scan_key_o == f_key_q) || !f_valid_q);
  end
  if (f_mine) begin
    a_valid: assert (valid_o == f_valid_q);
  end
  // Record
  if (f_mine && f_valid_q) begin
    a_lost:      assert (lost_o == f_lost_q);
    a_place:     assert ({key_o, first_o, in_o, outs_o, hosts_o} == {f_key_q, f_first_q, f_in_q, f_outs_q, f_hosts_q});
    a_slots:     assert ((slots_o == f_slots_q) && (slots_o != '0));
    a_came:      assert (came_o == f_came_q);
    a_accepted:  assert (accepted_o == f_accepted_q);
    a_words:     assert ((words_o == f_words_q) || (f_accepted_q == '0));
    a_ended:     assert (ended_o == f_ended_q);
    a_withdraws: assert (withdrawing_o == f_withdrawing_q);
    a_told_all:  assert (told_all_o == (f_untold_q == 1));
    if (f_ended_q != '0) begin
      a_tells: assert ({withdrawn_o, cause_o, info_o} == {f_withdrawn_q, f_cause_q, f_info_q});
    end
    if (f_refused_q) begin
      a_common: assert (common_o == f_common_q);
      a_late:   assert (late_o == f_late_q);
    end
    if ((f_ended_q != '0) || f_lost_q) begin
      a_cleared: assert (cleared_o == f_cleared_q);
    end
    if (f_lost_q) begin
      a_failed: assert (failed_o == f_failed_q);
    end
  end
`ifndef FORMAL_NO_LEMMAS
  // The record has what the ghost has, whether it is shown or not: this makes the properties inductive.
  if (f_valid_q) begin
    l_range: assert (32'(f_at) < Circuits);
    l_slots: assert (f_slots_q != '0);
    l_place: assert ({key_q[f_at], first_q[f_at], in_q[f_at], outs_q[f_at], hosts_q[f_at], slots_q[f_at], came_q[f_at]} ==
                     {f_key_q, f_first_q, f_in_q, f_outs_q, f_hosts_q, f_slots_q, f_came_q});
    l_state: assert ({lost_q[f_at], accepted_q[f_at], ended_q[f_at], withdraw_q[f_at]} ==
                     {f_lost_q, f_accepted_q, f_ended_q, f_withdrawing_q});
    l_words: assert ((words_q[f_at] == f_words_q) || (f_accepted_q == '0));
    l_told:  assert ((32'(untold_q[f_at]) == 32'(f_untold_q)) && (32'(f_untold_q) <= Ports));
    l_tells: assert (({withdrawn_q[f_at], cause_q[f_at], info_q[f_at]} == {f_withdrawn_q, f_cause_q, f_info_q}) || (f_ended_q == '0));
    l_grade: assert ((f_grade_q == (f_withdrawn_q ? 2'd0 : (f_cause_q == 2'd2) ? 2'd1 : (f_cause_q == 2'd0) ? 2'd2 : 2'd3)) ||
                     (f_ended_q == '0));
    l_same:  assert (!f_refused_q || (({common_q[f_at], late_q[f_at]} == {f_common_q, f_late_q}) && (f_ended_q != '0)));
    l_none:  assert (f_refused_q || f_withdrawn_q || (f_ended_q == '0));
    l_some:  assert (!f_refused_q || (f_grade_q != '0));
    l_last:  assert ((cleared_q[f_at] == f_cleared_q) || ((f_ended_q == '0) && !f_lost_q));
    l_fails: assert ((failed_q[f_at] == f_failed_q) || !f_lost_q);
  end
  if (32'(f_at) < Circuits) begin
    l_valid: assert (valid_q[f_at] == f_valid_q);
  end else begin
    l_out: assert (!f_valid_q);
  end
`endif
  // Reachability: each must have a witness.
  c_lowest: cover (f_mine && f_valid_q && (f_accepted_q == f_outs_q) && (f_words_q == 1));
  c_merged: cover (f_refuses && f_more && (f_grade > f_grade_q) && f_refused_q);
  c_over:   cover (f_refuses && f_more && !f_refused_q);
  c_later:  cover (f_ends && f_more && (cleared_i == f_cleared_q + 1'b1) && !f_cleared_q[0]);
  c_told:   cover (f_mine && told_i && (f_untold_q == 1) && (f_ended_q != '0));
  c_part:   cover (f_mine && remove_i && (slots_i != f_slots_q));
  c_both:   cover (hit_o && f_valid_q && (f_key_q == key_i) && (f_lost_q != lost_i));
end

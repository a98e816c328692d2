// Properties of command_sequencer, proven without bound by scripts/formal. Reset may come back at any time, the host may
// write and ring at any time, units may be ready and done whenever they like, also when they have no reason to. The
// ghosts are kept from the pins alone; the content of the memory is watched at any fixed entry.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb if (!f_started) assume (!rst_ni);

// Units: which have accepted an instruction and are not done, before and after this cycle.
logic [2:0] f_owed_q;
logic [2:0] f_owed;
logic [2:0] f_left;  // still to accept it, after this cycle
logic       f_busy;  // an instruction has been issued and is not complete
assign f_owed = (f_owed_q & ~done_i) | (issue_o & ready_i);
assign f_left = issue_o & ~ready_i;
assign f_busy = (issue_o != '0) || (f_owed_q != '0);

// The cycle before.
logic [2:0]        f_issue_q;
logic [InstrW-1:0] f_fields;
logic [InstrW-1:0] f_fields_q;
logic              f_busy_q;
logic              f_completed_q;
logic              f_reset_q;
logic [EntryW-1:0] f_entry_q;
assign f_fields = {flags_o, group_o, destination_o, source_o, size_o, receive_address_o, send_address_o, opcode_o};

// The host's entries: handed over and not fetched. A fetch shows in entry_o one cycle later.
logic              f_fetched;  // in the cycle before this one
logic [CountW:0]   f_count_q;  // one cycle late in what was fetched
logic [CountW:0]   f_count;
assign f_fetched = !f_reset_q && (entry_o != f_entry_q);
assign f_count   = f_count_q - (CountW+1)'(f_fetched);

// Content of any entry, as it was in the cycle of its last fetch.
(* anyconst *) logic [EntryW-1:0] f_watched;
always_comb assume (32'(f_watched) < Depth);
logic [InstrW-1:0] f_content;
logic              f_written;
logic [InstrW-1:0] f_content_q;  // one cycle earlier
logic              f_written_q;
logic [InstrW-1:0] f_hand_q;     // of the instruction decoded last, when it came from the watched entry
logic              f_from_watched_q;
logic [TimeW-1:0]  f_time_q;
logic [TimeW-1:0]  f_begun_q;    // time of the last fetch

// What a fetch brings; decided in the cycle after it.
logic       f_exists;
logic [2:0] f_units;
assign f_exists = f_written_q && (f_content_q[3:0] < 4'd14);
always_comb begin
  f_units = 3'b011;
  if (f_hand_q[3:0] == 4'd0) f_units = 3'b001;
  if (f_hand_q[3:0] == 4'd12) f_units = 3'b010;
  if (f_hand_q[3:0] == 4'd13) f_units = 3'b100;
end

// Cycles since the sequencer could have gone on: complete, or idle, with something handed over.
logic       f_goes;
logic [3:1] f_gone_q;
assign f_goes = rst_ni && (idle_o || completed_o) && (f_count + (doorbell_ok_o ? (CountW+1)'(doorbell_count_i) : '0) != '0);

always_ff @(posedge clk_i) begin
  f_reset_q   <= !rst_ni;
  f_issue_q   <= rst_ni ? issue_o : '0;
  f_fields_q  <= f_fields;
  f_busy_q    <= rst_ni && f_busy;
  f_completed_q <= rst_ni && completed_o;
  f_entry_q   <= entry_o;
  f_content_q <= f_content;
  f_written_q <= f_written && rst_ni;
  f_time_q    <= time_i;
  if (f_fetched) begin
    f_hand_q         <= f_content_q;
    f_from_watched_q <= f_entry_q == f_watched;
    f_begun_q        <= f_time_q;
  end
  if (cfg_we_i && (cfg_index_i == f_watched)) f_content <= cfg_instr_i;
  if (!rst_ni) begin
    f_owed_q  <= '0;
    f_count_q <= '0;
    f_written <= 1'b0;
    f_gone_q  <= '0;
    f_from_watched_q <= 1'b0;
  end else begin
    f_owed_q  <= f_owed;
    f_count_q <= illegal_o ? '0 : f_count + (doorbell_ok_o ? (CountW+1)'(doorbell_count_i) : '0);
    if (cfg_we_i && (cfg_index_i == f_watched)) f_written <= 1'b1;
    f_gone_q <= {f_gone_q[2:1], f_goes};
  end
end

always_comb if (f_started) begin
  // An instruction starts only when the one before is complete: nothing is running and nothing is offered.
  if (((issue_o & ~f_issue_q) != '0) && rst_ni) begin
    a_starts: assert ((f_owed_q == '0) && (f_issue_q == '0) && !f_busy_q);
  end
  // It stays on offer until taken, unchanged until complete, and is offered to each unit once.
  if (!f_reset_q && rst_ni) begin
    a_offered: assert ((f_issue_q == '0) || ((issue_o & ~f_issue_q) == '0));
  end
  if (f_busy && f_busy_q && !f_reset_q) begin
    a_stable: assert (f_fields == f_fields_q);
  end
  a_apart: assert ((issue_o & f_owed_q) == '0);
  // Complete when, and only when, the last unit is done.
  if (rst_ni) begin
    a_completed: assert (completed_o == (f_busy && (f_left == '0) && (f_owed == '0)));
    a_stray:     assert (stray_o == (done_i & ~f_owed_q));
  end else begin
    a_reset: assert (!completed_o && !illegal_o && !doorbell_ok_o && (stray_o == '0));
  end
  // The entries are fetched in order, as many as were handed over, and the right units get what was written.
  if (!f_reset_q) begin
    a_order: assert ((entry_o == f_entry_q) || (32'(entry_o) == ((32'(f_entry_q) == Depth - 1) ? 0 : 32'(f_entry_q) + 1)));
  end
  a_free:     assert ((32'(f_count) <= Depth) && (32'(free_o) == Depth - 32'(f_count)));
  a_doorbell: assert (doorbell_ok_o == (doorbell_i && rst_ni && !illegal_o && (doorbell_count_i <= free_o)));
  if (f_fetched && rst_ni && (f_entry_q == f_watched)) begin
    a_illegal: assert (illegal_o == !f_exists);
  end
  if (!f_fetched) begin
    a_legal: assert (!illegal_o);
  end
  if (f_gone_q[3] && (issue_o != '0) && f_from_watched_q) begin
    a_program: assert ((f_fields == f_hand_q) && (issue_o == f_units));
  end
  // No dead state: idle means that nothing is left to do, for lack of entries; else it fetches, decodes, or waits for a
  // unit that has the instruction or is offered it. What it waits for is all it waits for (a_completed).
  if (idle_o) begin
    a_done: assert ((f_count == '0) && !f_busy);
  end else begin
    a_alive: assert (f_busy || f_gone_q[1] || f_gone_q[2]);
  end
  // In three cycles from the end of one instruction, or the doorbell, to the next.
  if (f_gone_q[2]) begin
    a_fetches: assert (f_fetched);
  end
  if (f_gone_q[3]) begin
    a_issues: assert ((issue_o != '0) || idle_o);
  end
  if (f_fetched) begin
    a_asked: assert (f_gone_q[2]);
  end
  a_elapsed: assert (elapsed_o == (completed_o ? time_i - f_begun_q + TimeW'(1) : '0));
  // Reachability: each must have a witness.
  c_next:    cover (f_gone_q[3] && (issue_o == 3'b011) && (f_count != '0));
  c_split:   cover ((issue_o == 3'b001) && (f_owed_q == 3'b010));
  c_early:   cover ((issue_o == 3'b010) && (f_owed_q == '0) && f_busy_q);
  c_user:    cover (completed_o && (opcode_o == 4'd13));
  c_around:  cover (f_fetched && (entry_o == '0) && (f_count != '0));
  c_full:    cover (free_o == '0);
  c_refused: cover (doorbell_i && rst_ni && !doorbell_ok_o);
  c_illegal: cover (illegal_o && (f_count != '0) && f_from_watched_q && (f_hand_q[3:0] == 4'd0));
  c_unknown: cover (f_fetched && (f_entry_q == f_watched) && f_written_q && (f_content_q[3:0] == 4'd14));
  c_stray:   cover ((stray_o != '0) && f_busy);
end

`ifdef FORMAL_LIVE
// Given completions: when units that are offered the instruction take it within Patience cycles, and those that run it
// are done within as many, the sequencer completes or stops within LiveBound cycles of having left idle or completed,
// from any state and for ever.
localparam int unsigned Patience  = 3;
localparam int unsigned LiveBound = 2 + 2 * Patience;
logic [3:0] f_late_q [0:2];  // cycles that a unit has been offered the instruction, or has been running it
logic [4:0] f_since_q;       // cycles since completion, idle or reset
for (genvar f_u = 0; f_u < 3; f_u = f_u + 1) begin : gen_late
  always_ff @(posedge clk_i) begin
    if (!rst_ni || (issue_o[f_u] ? ready_i[f_u] : (!f_owed_q[f_u] || done_i[f_u]))) f_late_q[f_u] <= '0;
    else f_late_q[f_u] <= f_late_q[f_u] + 4'd1;
  end
  always_comb begin
    if (rst_ni && (32'(f_late_q[f_u]) == Patience - 1)) begin
      assume (!issue_o[f_u] || ready_i[f_u]);
      assume (!f_owed_q[f_u] || done_i[f_u]);
    end
  end
end
always_ff @(posedge clk_i) begin
  if (!rst_ni || completed_o || illegal_o || idle_o) f_since_q <= '0;
  else f_since_q <= f_since_q + 5'd1;
end
always_comb if (f_started) begin
  a_live: assert (32'(f_since_q) < LiveBound);
  c_slow: cover (32'(f_since_q) == LiveBound - 1);
end
`ifndef FORMAL_NO_LEMMAS
logic [2:0] f_in_time;
for (genvar f_u = 0; f_u < 3; f_u = f_u + 1) begin : gen_late_lemma
  assign f_in_time[f_u] = (32'(f_late_q[f_u]) < Patience)
                          && (!issue_o[f_u] || (32'(f_since_q) == 32'(f_late_q[f_u]) + 2))
                          && (!f_owed_q[f_u] || (32'(f_since_q) <= 32'(f_late_q[f_u]) + 2 + Patience));
end
always_comb if (f_started) begin
  l_in_time: assert (f_in_time == '1);
  if ((state_q == Idle) || (state_q == Fetch)) begin
    l_since: assert (f_since_q == '0);
  end
  if (state_q == Decode) begin
    l_since_one: assert (f_since_q == 5'd1);
  end
end
`endif
`endif

`ifndef FORMAL_NO_LEMMAS
// What the registers hold: this makes the properties above inductive.
always_comb if (f_started) begin
  l_state:   assert ((state_q == Run) == f_busy);
  l_running: assert (running_q == f_owed_q);
  l_places:  assert ((32'(entry_q) < Depth) && (32'(f_entry_q) < Depth || f_reset_q));
  l_fetch:   assert ((state_q == Fetch) == f_gone_q[1]);
  l_decode:  assert ((state_q == Decode) == f_gone_q[2]);
  l_fetched: assert ((state_q == Decode) == f_fetched);
  l_ready:   assert ((state_q != Fetch) || (count_q != '0));
  l_count:   assert (32'(count_q) == 32'(f_count));
  l_old:     assert ((f_issue_q == '0) || f_busy_q);
  l_memory:  assert ((written_q[f_watched] == f_written) && (!f_written || (mem_q[f_watched] == f_content)));
  if (state_q == Run) begin
    l_begun:    assert (begun_q == f_begun_q);
    l_busy:     assert (f_busy_q || f_gone_q[3]);
    l_complete: assert (!f_completed_q);
  end
  if (state_q == Decode) begin
    l_times: assert (begun_q == f_time_q);
    if (f_entry_q == f_watched) begin
      l_content: assert ((fetched_written_q == f_written_q) && (!f_written_q || (fetched_q == f_content_q)));
    end
  end
  if (f_gone_q[3] && f_busy && f_from_watched_q) begin
    l_hand: assert ((instr_q == f_hand_q) && (waiting_q == f_units));
  end
  if (f_gone_q[3]) begin
    l_not_before: assert (!f_busy_q && (f_issue_q == '0));
  end
end
`endif

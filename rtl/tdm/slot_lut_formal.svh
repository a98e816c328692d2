// Properties of slot_lut, proven without bound by scripts/formal. Reset may come back at any time. The ghosts see the
// pins only; f_row and f_slot are any fixed row and slot, so what holds for them holds for all.

(* anyconst *) logic [RowW-1:0]  f_row;
(* anyconst *) logic [SlotW-1:0] f_slot;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;
always_comb begin
  if (!f_started) assume (!rst_ni);
  assume (32'(f_row) < Rows);
  assume (32'(f_slot) < Slots);
end

// The request answered now (q1) and the one before it with its answer (q2).
logic             f_q1_valid, f_q2_valid, f_q2_ok;
logic [1:0]       f_q1_op,    f_q2_op;
logic [RowW-1:0]  f_q1_row,   f_q2_row;
logic [Slots-1:0] f_q1_slots, f_q2_slots;
logic             f_in_reset;  // the cycle before this one was a reset
always_ff @(posedge clk_i) begin
  f_in_reset <= !rst_ni;
  f_q1_valid <= rst_ni && req_valid_i;
  f_q1_op    <= req_op_i;
  f_q1_row   <= req_row_i;
  f_q1_slots <= req_slots_i;
  f_q2_valid <= rst_ni && f_q1_valid;
  f_q2_ok    <= rsp_ok_o;
  f_q2_op    <= f_q1_op;
  f_q2_row   <= f_q1_row;
  f_q2_slots <= f_q1_slots;
end

// Ghost of row f_row, moved by granted answers only: f_free as the specification has it before the request answered
// now; f_held: some circuit owns slot f_slot of the row.
logic [Slots-1:0] f_free;
logic             f_held;
logic             f_mine;   // the answer is about row f_row
logic             f_names;  // and its mask names f_slot
logic             f_reserved;
logic             f_released;
assign f_mine     = rsp_valid_o && (f_q1_row == f_row);
assign f_names    = f_mine && f_q1_slots[f_slot];
assign f_reserved = f_mine && rsp_ok_o && (f_q1_op == 2'd1);
assign f_released = f_mine && rsp_ok_o && (f_q1_op == 2'd2);
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_free <= '1;
    f_held <= 1'b0;
  end else begin
    if (f_reserved) f_free <= f_free & ~f_q1_slots;
    if (f_released) f_free <= f_free | f_q1_slots;
    if (f_reserved && f_names) f_held <= 1'b1;
    if (f_released && f_names) f_held <= 1'b0;
  end
end

// The row as the block holds it, and as it held it a cycle ago.
logic [Slots-1:0] f_own;
logic [Slots-1:0] f_own_before;
logic             f_ok_before;
logic [Slots-1:0] f_free_before;
logic [SlotW-1:0] f_first_before;
assign f_own = written_q[f_row] ? mem_q[f_row] : '1;
always_ff @(posedge clk_i) begin
  f_own_before   <= f_own;
  f_ok_before    <= rsp_ok_o;
  f_free_before  <= rsp_free_o;
  f_first_before <= rsp_first_o;
end

always_comb if (f_started) begin
  // One answer per request, one cycle later; quiet otherwise.
  a_latency: assert (rsp_valid_o == f_q1_valid);
  if (!rsp_valid_o && !f_in_reset) begin
    a_quiet: assert ((rsp_ok_o == f_ok_before) && (rsp_free_o == f_free_before) && (rsp_first_o == f_first_before));
  end
  // A slot is never granted twice, and never given back twice; nobody sees a held slot as free, or a free one as held.
  if (f_reserved && f_names) begin
    a_single_owner: assert (!f_held);
  end
  if (f_released && f_names) begin
    a_release_held: assert (f_held);
  end
  if (f_names) begin
    a_free_bit: assert (rsp_free_o[f_slot] == !f_held);
  end
  // Every answer is exact.
  if (f_mine) begin
    a_and: assert (rsp_free_o == (f_q1_slots & f_free));
    if (f_q1_op == 2'd0) begin
      a_ok_query: assert (rsp_ok_o == ((f_q1_slots & f_free) != '0));
    end
    if (f_q1_op == 2'd1) begin
      a_ok_reserve: assert (rsp_ok_o == ((f_q1_slots != '0) && ((f_q1_slots & ~f_free) == '0)));
    end
    if (f_q1_op == 2'd2) begin
      a_ok_release: assert (rsp_ok_o == ((f_q1_slots != '0) && ((f_q1_slots & f_free) == '0)));
    end
    if (f_q1_op == 2'd3) begin
      a_ok_none: assert (!rsp_ok_o);
    end
  end
  if (rsp_valid_o && (32'(f_q1_row) >= Rows)) begin
    a_no_row: assert (!rsp_ok_o && (rsp_free_o == '0));
  end
  if (rsp_valid_o) begin
    a_first: assert ((rsp_free_o == '0) ? (rsp_first_o == '0) : rsp_free_o[rsp_first_o]);
  end
  if (rsp_valid_o && (f_slot < rsp_first_o)) begin
    a_lowest: assert (!rsp_free_o[f_slot]);
  end
  // The row changes by granted reserves and releases of that row only: a refused request and a query change nothing.
  if (!f_in_reset && !f_reserved && !f_released) begin
    a_unchanged: assert (f_own == f_own_before);
  end
  // Release and reserve undo each other.
  if (f_mine && f_q2_valid && f_q2_ok && (f_q2_row == f_q1_row) && (f_q2_slots == f_q1_slots)) begin
    if ((f_q2_op == 2'd2) && (f_q1_op == 2'd1)) begin
      a_round_reserve: assert (rsp_ok_o);
    end
    if ((f_q2_op == 2'd1) && (f_q1_op == 2'd2)) begin
      a_round_release: assert (rsp_ok_o);
    end
  end
`ifndef FORMAL_NO_LEMMAS
  // Lemmas about the inside, which make the properties above inductive: the prover has nothing to learn.
  if (f_reserved) begin
    l_own_reserved: assert (f_own == (f_free & ~f_q1_slots));
  end
  if (f_released) begin
    l_own_released: assert (f_own == (f_free | f_q1_slots));
  end
  if (!f_reserved && !f_released) begin
    l_own: assert (f_own == f_free);
  end
  l_held: assert (f_held == !f_free[f_slot]);
  if (f_q2_valid && f_q2_ok && (f_q2_row == f_row)) begin
    l_after_reserve: assert ((f_q2_op != 2'd1) || ((f_q2_slots != '0) && ((f_q2_slots & f_free) == '0)));
    l_after_release: assert ((f_q2_op != 2'd2) || ((f_q2_slots != '0) && ((f_q2_slots & ~f_free) == '0)));
  end
`endif
  // Reachability: each must have a witness.
  c_reserved: cover (f_reserved && f_names);
  c_released: cover (f_released && f_names);
  c_refused:  cover (f_names && f_held && (f_q1_op == 2'd1) && !rsp_ok_o);
  c_round:    cover (f_reserved && f_q2_valid && f_q2_ok && (f_q2_op == 2'd2) && (f_q2_slots == f_q1_slots));
  c_no_free:  cover (f_mine && (f_q1_op == 2'd0) && (f_q1_slots != '0) && !rsp_ok_o);
end

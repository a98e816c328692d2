// Properties of slot_drain, proven without bound by scripts/formal. Reset may come back at any time. One set of slots is followed
// from the pins alone: that of circuit f_key, any one, which has one set at most at a time.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

(* anyconst *) logic [KeyW-1:0] f_key;
logic             f_in_q;    // its slots drain
logic             f_first_q;
logic [Ports-1:0] f_outs_q, f_failed_q;
logic [Slots-1:0] f_slots_q, f_came_q;
logic [PortW-1:0] f_port_q;
logic [TimeW-1:0] f_due_q;   // when they are free
logic [Ports:0]   f_rows_q;  // rows still to be released
logic             f_busy_q;  // in the cycle before
logic [TimeW-1:0] f_now_q;

// A frame after the entries are out of effect and the host is quiet, in the next cycle at the soonest.
logic [TimeW-1:0] f_host, f_frame, f_next, f_due;
assign f_host  = out_of_effect_i + ((first_i && ($signed(now_i + host_lag_i) > $signed(out_of_effect_i)))
                                        ? now_i + host_lag_i - out_of_effect_i : '0);
assign f_frame = f_host + frame_i;
assign f_next  = now_i + TimeW'(1);
assign f_due   = ($signed(f_frame) > $signed(now_i)) ? f_frame : f_next;

logic f_enters, f_mine, f_last;
assign f_enters = insert_i && !full_o && (key_i == f_key);
assign f_mine   = lut_valid_o && (lut_key_o == f_key);
assign f_last   = (lut_rows_o & (lut_rows_o - (Ports + 1)'(1))) == '0;

always_comb begin
  if (!f_started) assume (!rst_ni);
  assume (!(insert_i && ((slots_i == '0) || (outs_i == '0))));
  assume (!(insert_i && f_in_q && (key_i == f_key)));
  assume (!(free_i && insert_i));
  assume (!(busy_o && (insert_i || free_i)));
  if (f_busy_q && busy_o) assume (now_i == f_now_q);
end

always_ff @(posedge clk_i) begin
  f_busy_q <= rst_ni && (busy_o || free_i);
  f_now_q  <= now_i;
  if (!rst_ni) begin
    f_in_q <= 1'b0;
  end else if (f_enters) begin
    f_in_q     <= 1'b1;
    f_first_q  <= first_i;
    f_outs_q   <= outs_i;
    f_failed_q <= failed_i;
    f_slots_q  <= slots_i;
    f_came_q   <= came_i;
    f_port_q   <= in_i;
    f_due_q    <= f_due;
    f_rows_q   <= {outs_i, first_i};
  end else if (f_mine) begin
    f_rows_q <= lut_rows_o & (lut_rows_o - (Ports + 1)'(1));
    if (f_last) f_in_q <= 1'b0;
  end
end

always_comb if (f_started && rst_ni) begin
  // What is released of the circuit is what drains, each row once, the input's first.
  if (f_mine) begin
    a_known: assert (f_in_q);
    a_rows:  assert (lut_rows_o == f_rows_q);
    a_slots: assert (lut_slots_o == (lut_rows_o[0] ? f_came_q : f_slots_q));
    a_port:  assert (lut_in_o == f_port_q);
    a_due:   assert ($signed(f_due_q) <= $signed(now_i));
    a_done:  assert (done_o == (f_last ? f_failed_q : '0));
  end
  a_quiet: assert (lut_valid_o ? busy_o : (done_o == '0));
  // Nothing due is left behind.
  if (f_busy_q && !busy_o && f_in_q) begin
    a_all: assert ($signed(f_due_q) > $signed(f_now_q));
  end
  if (head_valid_o && (lut_key_o == f_key)) begin
    a_head: assert (f_in_q && (head_until_o == f_due_q));
  end
  if (valid_o && (key_o == f_key)) begin
    a_shown: assert (f_in_q && ({outs_o, slots_o, came_o, in_o, first_o} == {f_outs_q, f_slots_q, f_came_q, f_port_q, f_first_q}));
  end
  // Reachability: each must have a witness.
  c_rows: cover (f_mine && f_last && f_first_q);
  c_left: cover (f_busy_q && !busy_o && f_in_q);
  c_full: cover (full_o);
end

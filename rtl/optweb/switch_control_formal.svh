// Properties of switch_control, proven without bound by scripts/formal, for any port. Reset may come back at any time, and
// any events may come in any cycle, whether they make sense or not; only numbers of readers are below Ports, and the port of
// the node itself stays. The ghost follows one port, and is kept from the pins alone.

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

(* anyconst *) logic [PortW-1:0] f_port;
(* anyconst *) logic [Ports-1:0] f_owns;
logic [Ports-1:0] f_readers_exist;
for (genvar f_g = 0; f_g < Ports; f_g = f_g + 1) begin : gen_reader
  assign f_readers_exist[f_g] = 32'(reader_i[f_g*PortW +: PortW]) < Ports;
end
always_comb begin
  assume (32'(f_port) < Ports);
  assume (own_i == f_owns);
  assume (f_readers_exist == '1);
  if (!f_started) assume (!rst_ni);
end

// The port's share of the instruction, and what has been registered, sent and counted of it.
logic             f_holds_q;
logic             f_set_q;
logic             f_rendezvous_q;
logic             f_barrier_q;
logic             f_send_q;
logic             f_receive_q;
logic [PortW-1:0] f_reader_q;
logic [PortW-1:0] f_writer_q;
logic [WordW-1:0] f_send_left_q;
logic [WordW-1:0] f_receive_left_q;
logic [1:0]       f_notes_q;
logic [1:0]       f_early_q;
logic             f_joined_q;   // any output at the end of the cycle before
logic             f_taken_q;
logic             f_awaited_q;

logic             f_own;
logic             f_writes;
logic             f_sets;
logic             f_active;
logic [1:0]       f_awaits;     // before the notifications of this cycle
logic             f_lost;
logic [1:0]       f_come;
logic [1:0]       f_used;
logic             f_missing;    // of the instruction, behind this cycle
logic             f_flows;
logic [StepW-1:0] f_read;
logic [StepW-1:0] f_leave;
logic [StepW-1:0] f_linked;
logic [WordW-1:0] f_expected;
logic [WordW-1:0] f_send_left;  // behind the words of this cycle
logic [WordW-1:0] f_receive_left;
always_comb begin
  f_own    = own_i[f_port];
  f_writes = rst_ni && write_i && !f_holds_q;
  f_sets   = rst_ni && set_i && f_holds_q && !f_set_q;
  f_active = rst_ni && (f_sets || f_set_q);
  f_missing = !f_active || ((awaited_o | joined_o | taken_o) != '0);
  f_awaits = f_notes_q;
  if (f_sets) begin
    f_awaits = 2'd0;
    if (f_send_q && !f_own) f_awaits = f_rendezvous_q ? 2'd2 : 2'd1;
    if (f_barrier_q) f_awaits = 2'd1;
  end
  if (!f_active) f_awaits = 2'd0;
  f_lost   = notified_i[f_port] && (f_early_q == 2'd3);
  f_come   = (notified_i[f_port] && !f_lost) ? f_early_q + 2'd1 : f_early_q;
  f_used   = (f_come < f_awaits) ? f_come : f_awaits;
  f_flows  = f_active && open_o && f_send_q && (f_send_left_q != '0);
  f_read   = f_flows ? read_words_i[f_reader_q*StepW +: StepW] : '0;
  f_leave  = (WordW'(f_read) > f_send_left_q) ? StepW'(f_send_left_q) : f_read;
  f_linked = link_words_i[f_port*StepW +: StepW];
  f_expected     = (f_active && f_receive_q) ? f_receive_left_q : '0;
  f_send_left    = f_send_left_q - WordW'(f_leave);
  f_receive_left = (WordW'(f_linked) > f_expected) ? '0 : f_expected - WordW'(f_linked);
end
always_ff @(posedge clk_i) begin
  if (f_writes) begin
    f_rendezvous_q   <= rendezvous_i;
    f_barrier_q      <= barrier_i[f_port];
    f_send_q         <= send_i[f_port] && (send_words_i[f_port*WordW +: WordW] != '0);
    f_receive_q      <= receive_i[f_port] && (receive_words_i[f_port*WordW +: WordW] != '0);
    f_reader_q       <= reader_i[f_port*PortW +: PortW];
    f_writer_q       <= writer_i[f_port*PortW +: PortW];
    f_send_left_q    <= send_words_i[f_port*WordW +: WordW];
    f_receive_left_q <= receive_words_i[f_port*WordW +: WordW];
  end else if (f_active) begin
    f_send_left_q    <= f_send_left;
    f_receive_left_q <= f_receive_left;
  end
  f_notes_q   <= f_awaits - f_used;
  f_early_q   <= f_come - f_used;
  f_holds_q   <= f_holds_q || f_writes;
  f_set_q     <= f_set_q || f_sets;
  f_joined_q  <= joined_o != '0;
  f_taken_q   <= taken_o != '0;
  f_awaited_q <= awaited_o != '0;
  if (!rst_ni || (clear_i && f_holds_q)) begin
    f_holds_q   <= 1'b0;
    f_set_q     <= 1'b0;
    f_notes_q   <= '0;
    f_joined_q  <= 1'b0;
    f_taken_q   <= 1'b0;
    f_awaited_q <= 1'b0;
  end
  if (!rst_ni) f_early_q <= '0;
end

always_comb if (f_started && rst_ni) begin
  a_holds:   assert (holds_o == f_holds_q);
  a_set:     assert (set_o == f_set_q);
  a_refused: assert (refused_o == (write_i && f_holds_q));
  a_cut:     assert (cut_o == (clear_i && f_holds_q && f_missing));
  // Notifications.
  a_notify:  assert (notify_o[f_port] == (f_sets && (f_barrier_q || (f_rendezvous_q && f_receive_q && !f_own))));
  a_confirm: assert (confirm_o[f_port] == (received_o && f_receive_q && !f_own));
  a_awaited: assert (awaited_o[f_port] == (f_awaits != f_used));
  a_unready: assert (unready_o[f_port] == ((f_awaits == 2'd2) && (f_used == 2'd0)));
  a_lost:    assert (lost_o[f_port] == f_lost);
  if (f_awaits != 2'd0) begin
    a_noted: assert (noted_o == (awaited_o == '0));
  end
  if (noted_o) begin
    a_noted_once: assert ((awaited_o == '0) && (f_awaited_q || f_sets));
  end
  // Sending side.
  a_open:    assert (open_o == (f_active && (unready_o == '0)));
  a_words:   assert (words_o[f_port*StepW +: StepW] == f_leave);
  a_joined:  assert (joined_o[f_port] == (f_active && f_send_q && (f_send_left != '0)));
  a_select:  assert (select_o[f_port*PortW +: PortW] == (joined_o[f_port] ? f_reader_q : '0));
  a_excess:  assert (excess_o[f_port] == (WordW'(f_read) > f_send_left_q));
  if (f_flows) begin
    a_pass: assert (pass_o[f_reader_q]);
  end
  if (!open_o) begin
    a_shut: assert ((pass_o == '0) && (words_o == '0));
  end
  if (f_active && f_send_q && (f_send_left_q != '0)) begin
    a_sent: assert (sent_o == (joined_o == '0));
  end
  if (sent_o) begin
    a_sent_once: assert ((joined_o == '0) && (f_joined_q || f_sets));
  end
  // Receiving side.
  a_taken:   assert (taken_o[f_port] == (f_active && f_receive_q && (f_receive_left != '0)));
  a_writer:  assert (writer_o[f_port*PortW +: PortW] == (taken_o[f_port] ? f_writer_q : '0));
  a_too_many: assert (excess_o[Ports + 32'(f_port)] == (WordW'(f_linked) > f_expected));
  if (f_expected != '0) begin
    a_received: assert (received_o == (taken_o == '0));
  end
  if (received_o) begin
    a_received_once: assert ((taken_o == '0) && (f_taken_q || f_sets));
  end
  // Reachability: each must have a witness.
  c_opens:    cover (open_o && f_set_q && (f_awaits == 2'd2) && !f_sets);
  c_early:    cover (f_sets && (f_awaits == 2'd2) && (f_used == 2'd2));
  c_sent:     cover (sent_o && f_flows && (f_leave != '0) && f_joined_q);
  c_received: cover (received_o && (f_expected != '0) && f_taken_q);
  c_held:     cover (f_active && !open_o && (read_words_i != '0));
end

`ifndef FORMAL_NO_LEMMAS
// The registers of the port are those of the ghost: this makes the properties inductive.
logic [Ports-1:0] f_same;
for (genvar f_g = 0; f_g < Ports; f_g = f_g + 1) begin : gen_lemma
  assign f_same[f_g] = (32'(f_port) != f_g) || (
    (gen_port[f_g].notes_q == f_notes_q) && (gen_port[f_g].early_q == f_early_q) &&
    (!f_holds_q || ((barrier_q[f_g] == f_barrier_q) && (send_q[f_g] == f_send_q) && (receive_q[f_g] == f_receive_q) &&
                    (gen_port[f_g].reader_q == f_reader_q) && (gen_port[f_g].writer_q == f_writer_q) &&
                    (!send_q[f_g] || (gen_port[f_g].send_left_q == f_send_left_q)) &&
                    (!receive_q[f_g] || (gen_port[f_g].receive_left_q == f_receive_left_q)) &&
                    (32'(gen_port[f_g].reader_q) < Ports) &&
                    (f_set_q || !send_q[f_g] || (f_send_left_q != '0)) &&
                    (f_set_q || !receive_q[f_g] || (f_receive_left_q != '0)))) &&
    (!f_set_q || (gen_port[f_g].joined_q == (f_send_q && (f_send_left_q != '0)))) &&
    (!f_set_q || (gen_port[f_g].taken_q == (f_receive_q && (f_receive_left_q != '0)))));
end
logic [Ports-1:0] f_joined;
logic [Ports-1:0] f_taken;
logic [Ports-1:0] f_noting;
for (genvar f_g = 0; f_g < Ports; f_g = f_g + 1) begin : gen_any
  assign f_joined[f_g] = gen_port[f_g].joined_q;
  assign f_taken[f_g]  = gen_port[f_g].taken_q;
  assign f_noting[f_g] = gen_port[f_g].notes_q != '0;
end
always_comb if (f_started) begin
  l_same:  assert (f_same == '1);
  l_state: assert ((holds_q == f_holds_q) && (set_q == f_set_q) && (!f_holds_q || (rendezvous_q == f_rendezvous_q)));
  l_set:   assert (!f_set_q || f_holds_q);
  l_notes: assert (f_notes_q != 2'd3);
  l_any:   assert ((f_joined_q == (f_joined != '0)) && (f_taken_q == (f_taken != '0)) &&
                   (f_awaited_q == (f_noting != '0)));
end
`endif

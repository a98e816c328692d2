// Properties of host_interface, proven without bound by scripts/formal, for any content of the two tables: they are proven by
// themselves. Reset may come back at any time.
// f_circuit is any circuit, f_link any link; in a column a circuit is named for one link at most.

(* anyconst *) logic [CircuitW-1:0] f_circuit;
(* anyconst *) logic [LinkW-1:0]    f_link;

logic f_started;
initial f_started = 1'b0;
always_ff @(posedge clk_i) f_started <= 1'b1;

logic [Links-1:0] f_named_out, f_named_in;  // links that the circuit is named for
for (genvar f_l = 0; f_l < Links; f_l = f_l + 1) begin : gen_formal
  assign f_named_out[f_l] = column_out[f_l*EntryW + CircuitW] && (column_out[f_l*EntryW +: CircuitW] == f_circuit);
  assign f_named_in[f_l]  = column_in[f_l*EntryW + CircuitW] && (column_in[f_l*EntryW +: CircuitW] == f_circuit);
end
always_comb begin
  assume (32'(f_circuit) < Circuits);
  assume (32'(f_link) < Links);
  assume ((f_named_out & (f_named_out - Links'(1))) == '0);
  assume ((f_named_in & (f_named_in - Links'(1))) == '0);
  if (!f_started) assume (!rst_ni);
end

// Messages of the circuit that wait, words of the first one that have left, words that have arrived since the last mark.
localparam int unsigned FormalW = $clog2(Messages + 2);
logic [FormalW-1:0] f_count_q;
logic [SizeW-1:0]   f_sent_q;
logic [SizeW-1:0]   f_got_q;
logic               f_message, f_enters, f_sends, f_leaves, f_arrives;
assign f_message = msg_valid_i[f_circuit];
assign f_enters  = f_message && msg_ready_o[f_circuit];
assign f_sends   = (f_named_out != '0) && ((f_count_q != '0) || f_message);
assign f_leaves  = f_sends && ((out_last_o & f_named_out) != '0);
assign f_arrives = (f_named_in & in_valid_i) != '0;
always_ff @(posedge clk_i) begin
  if (!rst_ni) begin
    f_count_q <= '0;
    f_sent_q  <= '0;
    f_got_q   <= '0;
  end else begin
    f_count_q <= f_count_q + FormalW'(f_enters) - FormalW'(f_leaves);
    if (f_sends) f_sent_q <= f_leaves ? '0 : (f_sent_q + SizeW'(1));
    if (f_arrives) f_got_q <= ((f_named_in & in_valid_i & in_last_i) != '0) ? '0 : (f_got_q + SizeW'(1));
  end
end

// Of the link: whether its entries name a circuit at all.
logic f_entry_out, f_entry_in;
assign f_entry_out = column_out[f_link*EntryW + CircuitW] && (32'(column_out[f_link*EntryW +: CircuitW]) < Circuits);
assign f_entry_in  = column_in[f_link*EntryW + CircuitW] && (32'(column_in[f_link*EntryW +: CircuitW]) < Circuits);

always_comb if (f_started && rst_ni) begin
  a_ready: assert (msg_ready_o[f_circuit] == (32'(f_count_q) < Messages));
  if (f_named_out[f_link]) begin
    a_sends: assert (out_valid_o[f_link] == f_sends);
    a_index: assert (!f_sends || (out_index_o[f_link*SizeW +: SizeW] == f_sent_q));
    a_first: assert (out_first_o[f_link] == (f_sends && (f_sent_q == '0)));
    a_whose: assert (!f_sends || (out_circuit_o[f_link*CircuitW +: CircuitW] == f_circuit));
  end
  if (!f_entry_out) begin
    a_idle: assert (!out_valid_o[f_link] && !out_last_o[f_link]);
  end
  a_data:  assert (out_word_o[f_link*Width +: Width] == (out_valid_o[f_link] ? data_i[f_link*Width +: Width] : '0));
  if (f_named_in[f_link]) begin
    a_takes:    assert (rx_valid_o[f_link] == in_valid_i[f_link]);
    a_number:   assert (!in_valid_i[f_link] || (rx_index_o[f_link*SizeW +: SizeW] == f_got_q));
    a_begins:   assert (rx_first_o[f_link] == (in_valid_i[f_link] && (f_got_q == '0)));
    a_receiver: assert (!in_valid_i[f_link] || (rx_circuit_o[f_link*CircuitW +: CircuitW] == f_circuit));
  end
  a_ends:  assert (rx_last_o[f_link] == (rx_valid_o[f_link] && in_last_i[f_link]));
  a_word:  assert (rx_word_o[f_link*Width +: Width] == (rx_valid_o[f_link] ? in_word_i[f_link*Width +: Width] : '0));
  a_stray: assert (rx_stray_o[f_link] == (in_valid_i[f_link] && !f_entry_in));
  // Reachability: each must have a witness.
  c_second: cover (f_leaves && (f_sent_q != '0) && (f_count_q > FormalW'(1)));
  c_both:   cover (f_sends && f_arrives && (f_got_q != '0));
  c_other:  cover (out_valid_o[f_link] && !f_named_out[f_link] && rx_stray_o[f_link]);
end
`ifndef FORMAL_NO_LEMMAS
// Numbers of the words of the circuit are those of the ghost.
logic [Circuits-1:0] f_same;
for (genvar f_c = 0; f_c < Circuits; f_c = f_c + 1) begin : gen_lemma
  assign f_same[f_c] = (32'(f_circuit) != f_c) ||
                       ((head_index[f_c*SizeW +: SizeW] == f_sent_q) && (got_q[f_c*SizeW +: SizeW] == f_got_q));
end
always_comb if (f_started) begin
  l_same:  assert (f_same == '1);
  l_count: assert (32'(f_count_q) <= Messages);
end
`endif

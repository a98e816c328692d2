// Events of host_interface that its bench must bring about (scripts/coverage).
c_idle:          cover property (@(posedge clk_i) disable iff (!rst_ni) (out_valid_o == '0) && (rx_valid_o == '0));
c_all_send:      cover property (@(posedge clk_i) disable iff (!rst_ni) &out_valid_o);
c_all_receive:   cover property (@(posedge clk_i) disable iff (!rst_ni) &rx_valid_o);
c_both_ways:     cover property (@(posedge clk_i) disable iff (!rst_ni) (out_valid_o != '0) && (rx_valid_o != '0));
c_stray:         cover property (@(posedge clk_i) disable iff (!rst_ni) rx_stray_o != '0);
c_in_reset:      cover property (@(posedge clk_i) !rst_ni && (in_valid_i != '0) && (msg_valid_i != '0));
c_swap_and_send: cover property (@(posedge clk_i) disable iff (!rst_ni) swapped_o && (out_valid_o != '0));
c_in_later:      cover property (@(posedge clk_i) disable iff (!rst_ni) in_pending && !out_pending);
c_in_swap:       cover property (@(posedge clk_i) disable iff (!rst_ni) in_swapped_o && (rx_valid_o != '0));
c_in_sooner:     cover property (@(posedge clk_i) disable iff (!rst_ni) out_pending && !in_pending);
for (genvar l = 0; l < Links; l = l + 1) begin : gen_cover_link
  c_no_message: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                column_out[l*EntryW + CircuitW] && !out_valid_o[l]);
  c_no_circuit: cover property (@(posedge clk_i) disable iff (!rst_ni) in_valid_i[l] && !column_in[l*EntryW + CircuitW]);
  c_beyond_in:  cover property (@(posedge clk_i) disable iff (!rst_ni) rx_stray_o[l] && column_in[l*EntryW + CircuitW]);
  c_beyond_out: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                column_out[l*EntryW + CircuitW] && (32'(column_out[l*EntryW +: CircuitW]) >= Circuits));
  c_one_word:   cover property (@(posedge clk_i) disable iff (!rst_ni) rx_first_o[l] && rx_last_o[l]);
  c_between:    cover property (@(posedge clk_i) disable iff (!rst_ni) rx_valid_o[l] && !rx_first_o[l] && !rx_last_o[l]);
  c_end:        cover property (@(posedge clk_i) disable iff (!rst_ni) rx_last_o[l] && !rx_first_o[l]);
end

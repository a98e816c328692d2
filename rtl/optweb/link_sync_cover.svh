// Events of link_sync that its benches must bring about (scripts/coverage).
c_notify:           cover property (@(posedge clk_i) disable iff (!rst_ni) notify);
c_run_begins:       cover property (@(posedge clk_i) disable iff (!rst_ni) take && !full_q);
c_run_goes_on:      cover property (@(posedge clk_i) disable iff (!rst_ni) take && full_q);
c_run_ends:         cover property (@(posedge clk_i) disable iff (!rst_ni) full_q && !take && !tx_valid_i);
c_run_ended:        cover property (@(posedge clk_i) disable iff (!rst_ni) full_q && !take && tx_valid_i);
c_both_wait:        cover property (@(posedge clk_i) disable iff (!rst_ni) tx_notify_i && tx_valid_i && may_begin);
c_data_turn:        cover property (@(posedge clk_i) disable iff (!rst_ni) take && tx_notify_i);
c_notify_in_rest:   cover property (@(posedge clk_i) disable iff (!rst_ni) tx_notify_i && (rest_q != '0) && !full_q);
c_word_in_rest:     cover property (@(posedge clk_i) disable iff (!rst_ni) tx_valid_i && (rest_q != '0) && !full_q);
c_word_withdrawn:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    $past(tx_valid_i && !tx_ready_o) && !tx_valid_i);
c_notify_withdrawn: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    $past(tx_notify_i && !tx_notify_ready_o) && !tx_notify_i);
c_notified:         cover property (@(posedge clk_i) disable iff (!rst_ni) rx_notify_o);
c_first_word:       cover property (@(posedge clk_i) disable iff (!rst_ni) receive && first_q);
c_next_word:        cover property (@(posedge clk_i) disable iff (!rst_ni) receive && received_q);
c_one_word:         cover property (@(posedge clk_i) disable iff (!rst_ni) received_q && !receive && !link_active_i);
c_send_in_reset:    cover property (@(posedge clk_i) !rst_ni && tx_valid_i && tx_notify_i);
c_cut_in_reset:     cover property (@(posedge clk_i) !rst_ni && full_q);
c_receive_in_reset: cover property (@(posedge clk_i) !rst_ni && link_active_i && previous_q);

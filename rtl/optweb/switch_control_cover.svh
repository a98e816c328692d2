// Events of switch_control that its benches must bring about (scripts/coverage).
c_eager:             cover property (@(posedge clk_i) disable iff (!rst_ni) set && !rendezvous_q && (send_q != '0));
c_rendezvous:        cover property (@(posedge clk_i) disable iff (!rst_ni) set && (unready_o != '0));
c_all_ready_before:  cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     set && rendezvous_q && ((send_q & ~own_i) != '0) && open_o);
c_opens_later:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     open_o && $past(rst_ni && set_q && (unready_o != '0)));
c_barrier:           cover property (@(posedge clk_i) disable iff (!rst_ni) set && (barrier_q != '0));
c_own_alone:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     set && rendezvous_q && ((send_q & own_i) != '0) && ((send_q & ~own_i) == '0));
c_nothing:           cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     set && ((send_q | receive_q | barrier_q) == '0));
c_copies:            cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     (words_o[0 +: StepW] != '0) && (words_o[StepW +: StepW] != '0) &&
                                     (reader_bit[0] == reader_bit[1]));
c_two_readers:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     (words_o[0 +: StepW] != '0) && (words_o[StepW +: StepW] != '0) &&
                                     (reader_bit[0] != reader_bit[1]));
c_held_back:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     (sending != '0) && !open_o && (read_words_i != '0));
c_sent:              cover property (@(posedge clk_i) disable iff (!rst_ni) sent_o && (taken_o != '0));
c_received:          cover property (@(posedge clk_i) disable iff (!rst_ni) received_o && (joined_o != '0));
c_received_in_set:   cover property (@(posedge clk_i) disable iff (!rst_ni) received_o && set);
c_confirm:           cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_o != '0);
c_noted_in_set:      cover property (@(posedge clk_i) disable iff (!rst_ni) noted_o && set);
c_noted_later:       cover property (@(posedge clk_i) disable iff (!rst_ni) noted_o && !set);
c_all_at_once:       cover property (@(posedge clk_i) disable iff (!rst_ni) sent_o && received_o);
c_early:             cover property (@(posedge clk_i) disable iff (!rst_ni) !active && (notified_i != '0));
c_early_for_next:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     set_q && ((notified_i & ~awaits) != '0));
c_lost:              cover property (@(posedge clk_i) disable iff (!rst_ni) lost_o != '0);
c_refused:           cover property (@(posedge clk_i) disable iff (!rst_ni) refused_o);
c_cut_before_set:    cover property (@(posedge clk_i) disable iff (!rst_ni) cut_o && !active);
c_cut:               cover property (@(posedge clk_i) disable iff (!rst_ni) cut_o && active);
c_clear_in_set:      cover property (@(posedge clk_i) disable iff (!rst_ni) set && clear);
c_clear_at_last:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     clear && !cut_o && (sent_o || received_o || noted_o));
c_clear_of_none:     cover property (@(posedge clk_i) disable iff (!rst_ni) clear_i && !clear);
c_set_of_none:       cover property (@(posedge clk_i) disable iff (!rst_ni) set_i && !holds_q);
c_set_twice:         cover property (@(posedge clk_i) disable iff (!rst_ni) set_i && set_q);
c_excess_sent:       cover property (@(posedge clk_i) disable iff (!rst_ni) excess_o[Ports-1:0] != '0);
c_excess_received:   cover property (@(posedge clk_i) disable iff (!rst_ni) (excess_o[Ports +: Ports] & taking) != '0);
c_not_expected:      cover property (@(posedge clk_i) disable iff (!rst_ni) (excess_o[Ports +: Ports] & ~taking) != '0);
c_write_in_reset:    cover property (@(posedge clk_i) !rst_ni && write_i);
c_cut_in_reset:      cover property (@(posedge clk_i) !rst_ni && set_q);

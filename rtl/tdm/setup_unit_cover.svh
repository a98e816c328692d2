// Events of setup_unit that its benches must bring about (scripts/coverage).
c_no_room:         cover property (@(posedge clk_i) disable iff (!rst_ni) full_o && (state_q == StBegin));
c_refused_down:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StBegin) && refuses && (down != '0));
c_granted:         cover property (@(posedge clk_i) disable iff (!rst_ni) granted);
c_refused_request: cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StRequest) && refuses);
c_unknown:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StFind) && !hit && (kind_q != Ack));
c_ack:             cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StFind) && hit && (kind_q == Ack));
c_elsewhere:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && (effect == 3'd0) && !branch_accepts && !branch_confirms && !branch_ends);
c_release:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && (effect == Send) && (from_q == r_in));
c_withdraw:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && (effect == WithdrawAll) && (kind_q == Withdraw));
c_withdraw_again:  cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && (from_q == r_in) && (kind_q == Withdraw) && r_withdrawing);
c_teardown_onward: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && (effect == Clear) && (kind_q == Teardown));
c_accepted:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && branch_accepts && (effect == Send));
c_accept_late:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && branch_accepts && r_withdrawing);
c_words_kept:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && branch_accepts && (r_accepted != '0) && (r_words < words_q));
c_released_part:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  confirm && confirmed_all && (slots_q != r_slots));
c_released_all:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  confirm && confirmed_all && (slots_q == r_slots));
c_not_released:    cover property (@(posedge clk_i) disable iff (!rst_ni) confirm && !confirmed_all);
c_fault:           cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && (effect == SendAndClear));
c_branch_of_many:  cover property (@(posedge clk_i) disable iff (!rst_ni) ends && ((r_ended | branch) != r_outs));
c_last_branch:     cover property (@(posedge clk_i) disable iff (!rst_ni) ends && ((r_ended | branch) == r_outs));
c_hosts_end_all:   cover property (@(posedge clk_i) disable iff (!rst_ni) ends_host && (hosts_open == open));
c_hosts_end_some:  cover property (@(posedge clk_i) disable iff (!rst_ni) ends_host && (hosts_open != open));
c_no_host:         cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StHosts) && (hosts_open == '0));
c_take_none:       cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StTake) && !best_valid_q);
c_loses:           cover property (@(posedge clk_i) disable iff (!rst_ni) loses);
c_no_notice:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StCleared) && failing_q && !loses);
c_notice_in:       cover property (@(posedge clk_i) disable iff (!rst_ni) failing_q && snd_valid_o && !forward_q);
c_notice_onward:   cover property (@(posedge clk_i) disable iff (!rst_ni) failing_q && snd_valid_o && forward_q);
c_told_last:       cover property (@(posedge clk_i) disable iff (!rst_ni) told && told_all);
c_told_not_last:   cover property (@(posedge clk_i) disable iff (!rst_ni) told && !told_all);
c_released_own:    cover property (@(posedge clk_i) disable iff (!rst_ni) confirm && confirmed_all && slot_update_i);
c_readout:         cover property (@(posedge clk_i) disable iff (!rst_ni) cmd_ready_o && rec_valid_o && rec_lost_o);

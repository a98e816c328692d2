// Events of setup_unit that its benches must bring about (scripts/coverage).
c_granted_first:   cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StTime) && !refuses && first_q);
c_granted_further: cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StTime) && !refuses && !first_q);
c_granted_fork:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && !refuses && ((outs_q & (outs_q - Ports'(1))) != '0));
c_no_room:         cover property (@(posedge clk_i) disable iff (!rst_ni) full_o && (state_q == StBegin));
c_refused_down:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StBegin) && refuses && (down != '0));
c_refused_few:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StChoose) && refuses && (need_q != '0));
c_refused_taken:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StChoose) && refuses && (need_q == '0));
c_refused_late:    cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StTime) && refuses);
c_start_ack:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && first_q && (start_b == ack_at));
c_start_force:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && first_q && (start_b == force_at) && (start_b != ack_at));
c_start_route:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && first_q && (start_b == route_start_q) && (start_b != start_a));
c_unknown:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StFind) && !hit && (kind_q != Ack));
c_ack:             cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StFind) && hit && (kind_q == Ack));
c_elsewhere:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && !onward && !from_branch);
c_release:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && onward && (kind_q == Release));
c_withdraw:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && onward && (kind_q == Withdraw) && !r_withdrawing);
c_withdraw_again:  cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && onward && (kind_q == Withdraw) && r_withdrawing);
c_teardown_onward: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && onward && (kind_q == Teardown));
c_accepted:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && from_branch && (kind_q == Accept) && ((r_accepted | branch) == r_outs));
c_accept_late:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && from_branch && (kind_q == Accept) && r_withdrawing);
c_words_kept:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && from_branch && (kind_q == Accept) && (r_accepted != '0) && (r_words < words_q));
c_released_part:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  confirm && confirmed_all && (slots_q != r_slots));
c_released_all:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  confirm && confirmed_all && (slots_q == r_slots));
c_not_released:    cover property (@(posedge clk_i) disable iff (!rst_ni) confirm && !confirmed_all);
c_fault:           cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StAct) && from_branch && (kind_q == Teardown) && (cause_q == Fault));
c_branch_of_many:  cover property (@(posedge clk_i) disable iff (!rst_ni) ends && ((r_ended | branch) != r_outs));
c_last_branch:     cover property (@(posedge clk_i) disable iff (!rst_ni) ends && ((r_ended | branch) == r_outs));
c_hosts_end_all:   cover property (@(posedge clk_i) disable iff (!rst_ni) ends_host && (hosts_open == open));
c_hosts_end_some:  cover property (@(posedge clk_i) disable iff (!rst_ni) ends_host && (hosts_open != open));
c_no_host:         cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StHosts) && (hosts_open == '0));
c_drain_host:      cover property (@(posedge clk_i) disable iff (!rst_ni) drain_insert && (quiet != out_of_force));
c_drain_over:      cover property (@(posedge clk_i) disable iff (!rst_ni) drain_insert && (drain_until != until_frame));
c_drain_failed:    cover property (@(posedge clk_i) disable iff (!rst_ni) drain_insert && (failed_here != '0));
c_take_none:       cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StTake) && !best_valid_q);
c_take_second:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTake) && best_valid_q && last_valid_q);
c_loses:           cover property (@(posedge clk_i) disable iff (!rst_ni) loses);
c_no_notice:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StCleared) && failing_q && !loses);
c_notice_in:       cover property (@(posedge clk_i) disable iff (!rst_ni) failing_q && snd_valid_o && !forward_q);
c_notice_onward:   cover property (@(posedge clk_i) disable iff (!rst_ni) failing_q && snd_valid_o && forward_q);
c_told_last:       cover property (@(posedge clk_i) disable iff (!rst_ni) told && told_all);
c_told_not_last:   cover property (@(posedge clk_i) disable iff (!rst_ni) told && !told_all);
c_free_none:       cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StFree) && !free_valid_o);
c_free_later:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StFree) && free_valid_o && ($signed(free_at_o) > $signed(now_q)));
c_freed:           cover property (@(posedge clk_i) disable iff (!rst_ni) drain_pop);
c_freed_host:      cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StRelease) && rows_q[0]);
c_drained:         cover property (@(posedge clk_i) disable iff (!rst_ni) drain_end_o != '0);
c_readout:         cover property (@(posedge clk_i) disable iff (!rst_ni) cmd_ready_o && rec_valid_o && rec_lost_o);

// Events of circuit_records that its benches must bring about (scripts/coverage).
c_install:            cover property (@(posedge clk_i) disable iff (!rst_ni) install_i);
c_no_room:            cover property (@(posedge clk_i) disable iff (!rst_ni) !room_o);
c_accept_first:       cover property (@(posedge clk_i) disable iff (!rst_ni) accept_i && (accepted_o == '0));
c_accept_lower:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     accept_i && (accepted_o != '0) && (words_i < words_o));
c_accept_higher:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     accept_i && (accepted_o != '0) && (words_i > words_o));
c_end_first:          cover property (@(posedge clk_i) disable iff (!rst_ni) end_i && alone);
c_end_wins:           cover property (@(posedge clk_i) disable iff (!rst_ni) end_i && !alone && wins);
c_end_loses:          cover property (@(posedge clk_i) disable iff (!rst_ni) end_i && !alone && !wins && merges);
c_end_withdrawn:      cover property (@(posedge clk_i) disable iff (!rst_ni) end_i && !alone && withdrawn_i);
c_end_over_withdrawn: cover property (@(posedge clk_i) disable iff (!rst_ni) end_i && wins && !alone && withdrawn_o);
c_down_over_late:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     end_i && !alone && !withdrawn_o && (cause_o == Late) && !withdrawn_i && (cause_i == 2'd1));
c_longer:             cover property (@(posedge clk_i) disable iff (!rst_ni) end_i && merges && longer);
c_several_end:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     end_i && ((branch_i & (branch_i - Ports'(1))) != '0));
c_remove_some:        cover property (@(posedge clk_i) disable iff (!rst_ni) remove_i && (kept != '0));
c_remove_all:         cover property (@(posedge clk_i) disable iff (!rst_ni) remove_i && (kept == '0));
c_lose:               cover property (@(posedge clk_i) disable iff (!rst_ni) lose_i);
c_told_some:          cover property (@(posedge clk_i) disable iff (!rst_ni) told_i && !told_all_o);
c_told_all:           cover property (@(posedge clk_i) disable iff (!rst_ni) told_i && told_all_o);
c_crosses_in:         cover property (@(posedge clk_i) disable iff (!rst_ni) crosses_o && failed_i[in_q[scan_i]]);
c_crosses_out:        cover property (@(posedge clk_i) disable iff (!rst_ni) crosses_o && !failed_i[in_q[scan_i]]);

// Events of message_queue that the bench of the block around it must bring about (scripts/coverage).
c_through:        cover property (@(posedge clk_i) disable iff (!rst_ni) enters && !stored && done);
c_first_at_once:  cover property (@(posedge clk_i) disable iff (!rst_ni) enters && !stored && sends && !done);
c_stored:         cover property (@(posedge clk_i) disable iff (!rst_ni) enters && !stored && !sends);
c_behind:         cover property (@(posedge clk_i) disable iff (!rst_ni) enters && stored && done);
c_full:           cover property (@(posedge clk_i) disable iff (!rst_ni) !msg_ready_o);
c_refused:        cover property (@(posedge clk_i) disable iff (!rst_ni) msg_valid_i && !msg_ready_o);
c_refused_leaves: cover property (@(posedge clk_i) disable iff (!rst_ni) msg_valid_i && !msg_ready_o && done);
c_nothing:        cover property (@(posedge clk_i) disable iff (!rst_ni) take_i && !valid_o);
c_between:        cover property (@(posedge clk_i) disable iff (!rst_ni) sends && !first_o && !last_o);
c_one_word:       cover property (@(posedge clk_i) disable iff (!rst_ni) sends && first_o && last_o);
c_in_reset:       cover property (@(posedge clk_i) !rst_ni && msg_valid_i);

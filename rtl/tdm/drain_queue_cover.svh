// Events of drain_queue that its benches must bring about (scripts/coverage).
c_insert_empty:  cover property (@(posedge clk_i) disable iff (!rst_ni) insert_i && !valid_q[0]);
c_insert_first:  cover property (@(posedge clk_i) disable iff (!rst_ni) insert_i && valid_q[0] && !stays[0]);
c_insert_behind: cover property (@(posedge clk_i) disable iff (!rst_ni) insert_i && !full_o && stays[0]);
c_equal:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                insert_i && valid_q[0] && (until_i == head_until_o));
c_last_place:    cover property (@(posedge clk_i) disable iff (!rst_ni) valid_q[Depth-1]);
c_pop_last:      cover property (@(posedge clk_i) disable iff (!rst_ni) pop_i && (valid_q == Depth'(1)));
c_pop_more:      cover property (@(posedge clk_i) disable iff (!rst_ni) pop_i && (valid_q != Depth'(1)));
c_readout:       cover property (@(posedge clk_i) disable iff (!rst_ni) valid_o && (index_i != '0));

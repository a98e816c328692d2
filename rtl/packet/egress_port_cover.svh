// Events of egress_port that its benches must bring about (scripts/coverage).
c_grant:           cover property (@(posedge clk_i) disable iff (!rst_ni) grant_o);
c_back_to_back:    cover property (@(posedge clk_i) disable iff (!rst_ni) start && (left_q == SizeW'(1)));
c_one_flit:        cover property (@(posedge clk_i) disable iff (!rst_ni) link_head_o && link_tail_o);
c_cut_through:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                   grant_o && (flits_q != '0) && head_q && (vl_q == grant_vl_o) &&
                                   (in_q == {grant_sl_o, grant_size}));
c_no_credits:      cover property (@(posedge clk_i) disable iff (!rst_ni) (busy_q == '0) && (active == '0) && (spend == '0) &&
                                   (head_size != '0));
c_last_credits:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                   grant_o && (WideW'(grant_size) == WideW'(credits_o[grant_vl_o*NextW +: NextW])));
c_credit_at_once:  cover property (@(posedge clk_i) disable iff (!rst_ni)
                                   grant_o && (credit_q[grant_vl_o*NextW +: NextW] != '0));
c_link_busy:       cover property (@(posedge clk_i) disable iff (!rst_ni) (busy_q != '0) && (active != '0));
c_declined:        cover property (@(posedge clk_i) disable iff (!rst_ni) decide && (active != '0) && !grant_o);
c_full:            cover property (@(posedge clk_i) disable iff (!rst_ni) room_o == '0);

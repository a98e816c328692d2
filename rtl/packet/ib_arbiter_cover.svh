// Events of ib_arbiter that its benches must bring about (scripts/coverage).
c_high:              cover property (@(posedge clk_i) disable iff (!rst_ni) high_serve && !low_any);
c_high_first:        cover property (@(posedge clk_i) disable iff (!rst_ni) high_serve && low_any);
c_low:               cover property (@(posedge clk_i) disable iff (!rst_ni) low_serve && !high_any);
c_low_first:         cover property (@(posedge clk_i) disable iff (!rst_ni) low_serve && high_any);
c_chance_lost:       cover property (@(posedge clk_i) disable iff (!rst_ni) decide && expired_q && !low_any);
c_one_message:       cover property (@(posedge clk_i) disable iff (!rst_ni) high_serve && (limit_i == '0));
c_no_limit:          cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     high_serve && low_any && (limit_i == 8'd255));
c_limit_met:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     high_serve && (limit_i != '0) && (limit_i != 8'd255) &&
                                     (sent_d == {limit_i, 6'd0}));
c_limit_passed:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     high_serve && (limit_i != '0) && (limit_i != 8'd255) &&
                                     (sent_d > {limit_i, 6'd0}));
c_count_stops:       cover property (@(posedge clk_i) disable iff (!rst_ni) high_serve && ((sum >> SentW) != '0));
c_none:              cover property (@(posedge clk_i) disable iff (!rst_ni) decide && (active_i != '0) && !grant_o);
c_nothing_active:    cover property (@(posedge clk_i) disable iff (!rst_ni) decide && (active_i == '0));
c_not_asked:         cover property (@(posedge clk_i) disable iff (!rst_ni) !decide_i && (high_any || low_any));
c_decision_in_reset: cover property (@(posedge clk_i) !rst_ni && decide_i && (active_i != '0));

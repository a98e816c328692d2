// Events of drr that its benches must bring about (scripts/coverage).
c_goes_on:           cover property (@(posedge clk_i) disable iff (!rst_ni) decide && covers);
c_next_sends:        cover property (@(posedge clk_i) disable iff (!rst_ni) move && next_covers);
c_next_waits:        cover property (@(posedge clk_i) disable iff (!rst_ni) move && !next_covers);
c_not_covered:       cover property (@(posedge clk_i) disable iff (!rst_ni) move && live && (next_sl != turn_q));
c_alone:             cover property (@(posedge clk_i) disable iff (!rst_ni) move && live && (next_sl == turn_q));
c_becomes_inactive:  cover property (@(posedge clk_i) disable iff (!rst_ni) decide && in_turn_q && !live);
c_nothing_active:    cover property (@(posedge clk_i) disable iff (!rst_ni) decide && (active_i == '0));
c_no_quantum:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     decide && (active_i != '0) && !covers && !found);
c_wraps:             cover property (@(posedge clk_i) disable iff (!rst_ni) move && (above == '0));
c_with_deficit:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     move && (deficits[next_sl*CountW +: CountW] != '0));
c_spent:             cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     grant_o && (WideW'(available) == WideW'(size)));
c_saturates:         cover property (@(posedge clk_i) disable iff (!rst_ni) saturated_o);
c_not_asked:         cover property (@(posedge clk_i) disable iff (!rst_ni) !decide_i && (active_i != '0));
c_write_in_turn:     cover property (@(posedge clk_i) disable iff (!rst_ni) write && live && (cfg_sl_i == turn_q));
c_write_zero:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     write && (cfg_weight_i == '0) && positive_q[cfg_sl_i]);
c_write_nowhere:     cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && !write);
c_decision_in_reset: cover property (@(posedge clk_i) !rst_ni && decide_i && (active_i != '0));
c_write_in_reset:    cover property (@(posedge clk_i) !rst_ni && cfg_we_i);

// Events of dtable that its benches must bring about (scripts/coverage).
c_goes_on:            cover property (@(posedge clk_i) disable iff (!rst_ni) decide && covers);
c_next_sends:         cover property (@(posedge clk_i) disable iff (!rst_ni) move && next_covers);
c_next_waits:         cover property (@(posedge clk_i) disable iff (!rst_ni) move && !next_covers);
c_not_covered:        cover property (@(posedge clk_i) disable iff (!rst_ni) decide && live && !covers && found);
c_becomes_inactive:   cover property (@(posedge clk_i) disable iff (!rst_ni) decide && selected_q && !live);
c_nothing_active:     cover property (@(posedge clk_i) disable iff (!rst_ni) decide && (active_i == '0));
c_no_entry:           cover property (@(posedge clk_i) disable iff (!rst_ni)
                                      decide && (active_i != '0) && !covers && !found);
c_wraps:              cover property (@(posedge clk_i) disable iff (!rst_ni) move && (above == '0));
c_same_entry:         cover property (@(posedge clk_i) disable iff (!rst_ni) move && live && (next_entry == entry_q));
c_same_sl:            cover property (@(posedge clk_i) disable iff (!rst_ni)
                                      move && live && (next_sl == selected_sl_q));
c_with_deficit:       cover property (@(posedge clk_i) disable iff (!rst_ni) move && (next_deficit != '0));
c_spent:              cover property (@(posedge clk_i) disable iff (!rst_ni)
                                      grant_o && (WideW'(available) == WideW'(size)));
c_saturates:          cover property (@(posedge clk_i) disable iff (!rst_ni) saturated_o);
c_not_asked:          cover property (@(posedge clk_i) disable iff (!rst_ni) !decide_i && (active_i != '0));
c_write_in_selection: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                      write && move && (cfg_index_i == next_entry));
c_write_selected:     cover property (@(posedge clk_i) disable iff (!rst_ni) write && live && (cfg_index_i == entry_q));
c_write_zero:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                      write && (cfg_weight_i == '0) && positive_q[cfg_index_i]);
c_write_nowhere:      cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && !write);
c_decision_in_reset:  cover property (@(posedge clk_i) !rst_ni && decide_i && (active_i != '0));
c_write_in_reset:     cover property (@(posedge clk_i) !rst_ni && cfg_we_i);

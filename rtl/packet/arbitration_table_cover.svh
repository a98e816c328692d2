// Events of arbitration_table that the benches of ib_arbiter must bring about (scripts/coverage).
c_goes_on:        cover property (@(posedge clk_i) disable iff (!rst_ni) serve_i && live);
c_next:           cover property (@(posedge clk_i) disable iff (!rst_ni) serve_i && !live);
c_overdrawn:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  serve_i && (WideW'(available) < WideW'(size_i)));
c_spent:          cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  serve_i && (WideW'(available) == WideW'(size_i)));
c_turn_lost:      cover property (@(posedge clk_i) disable iff (!rst_ni) serve_i && (left_q != '0) && !live);
c_wraps:          cover property (@(posedge clk_i) disable iff (!rst_ni) serve_i && !live && (next_entry < entry_q));
c_same_entry:     cover property (@(posedge clk_i) disable iff (!rst_ni) serve_i && !live && (next_entry == entry_q));
c_none:           cover property (@(posedge clk_i) disable iff (!rst_ni) !any_o && (active_i != '0));
c_waits:          cover property (@(posedge clk_i) disable iff (!rst_ni) any_o && !serve_i);
c_write_zero:     cover property (@(posedge clk_i) disable iff (!rst_ni) write && (cfg_weight_i == '0));
c_write_nowhere:  cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && !write);
c_write_in_reset: cover property (@(posedge clk_i) !rst_ni && cfg_we_i);

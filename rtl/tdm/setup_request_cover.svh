// Events of setup_request that its benches must bring about (scripts/coverage).
c_granted_first:   cover property (@(posedge clk_i) disable iff (!rst_ni) granted_o && first_i);
c_granted_further: cover property (@(posedge clk_i) disable iff (!rst_ni) granted_o && !first_i);
c_granted_fork:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  granted_o && ((outs_i & (outs_i - Ports'(1))) != '0));
c_refused_slots:   cover property (@(posedge clk_i) disable iff (!rst_ni) too_few && !update_i);
c_refused_own:     cover property (@(posedge clk_i) disable iff (!rst_ni) too_few && update_i);
c_refused_late:    cover property (@(posedge clk_i) disable iff (!rst_ni) late && !update_i);
c_late_own:        cover property (@(posedge clk_i) disable iff (!rst_ni) late && update_i);
c_start_ack:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && first_i && (start_b == ack_at_i));
c_start_force:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && first_i && (start_b == force_at) && (start_b != ack_at_i));
c_start_route:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && first_i && (start_b == route_start_i) && (start_b != start_a));
c_fastest:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (state_q == StTime) && update_i && (departure != lag_o));

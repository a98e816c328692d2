// Events of slot_choice that its benches must bring about (scripts/coverage).
c_few:         cover property (@(posedge clk_i) disable iff (!rst_ni) refused_o && !all_served);
c_few_of_host: cover property (@(posedge clk_i) disable iff (!rst_ni) refused_o && update_i && (left_q != '0));
c_taken:       cover property (@(posedge clk_i) disable iff (!rst_ni) refused_o && all_served);
c_same:        cover property (@(posedge clk_i) disable iff (!rst_ni) done_o && !update_i);
c_own:         cover property (@(posedge clk_i) disable iff (!rst_ni) done_o && update_i);
c_own_first:   cover property (@(posedge clk_i) disable iff (!rst_ni) done_o && update_i && first_i);
c_next_frame:  cover property (@(posedge clk_i) disable iff (!rst_ni)
                              picking && update_i && !all_served && !few && (out_next <= arrival));
c_whole_frame: cover property (@(posedge clk_i) disable iff (!rst_ni)
                              picking && update_i && !all_served && !few && (out_next == arrival));
c_over_end:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                              picking && update_i && !few && (on_wire >= (CountW + 1)'(frame_i)));
c_passed_over: cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StOrder) && (slack_q <= 0));
c_ahead:       cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StMap) && (faster_q > 0));
c_behind:      cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StMap) && (faster_q < 0));

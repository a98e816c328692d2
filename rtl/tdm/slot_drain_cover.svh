// Events of slot_drain that its benches must bring about (scripts/coverage).
c_host:        cover property (@(posedge clk_i) disable iff (!rst_ni) insert_i && (quiet != out_of_effect_i));
c_over:        cover property (@(posedge clk_i) disable iff (!rst_ni) insert_i && (due_at != until_frame));
c_failed:      cover property (@(posedge clk_i) disable iff (!rst_ni) insert_i && (failed_i != '0));
c_free_none:   cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StLook) && !head_valid_o);
c_free_later:  cover property (@(posedge clk_i) disable iff (!rst_ni) (state_q == StLook) && head_valid_o && !due);
c_freed:       cover property (@(posedge clk_i) disable iff (!rst_ni) pop);
c_freed_host:  cover property (@(posedge clk_i) disable iff (!rst_ni) lut_valid_o && rows_q[0]);
c_freed_other: cover property (@(posedge clk_i) disable iff (!rst_ni)
                              lut_valid_o && rows_q[0] && (head_came != head_slots));
c_done:        cover property (@(posedge clk_i) disable iff (!rst_ni) done_o != '0);

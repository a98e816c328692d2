// Events of flit_store that the benches of the blocks around it must bring about (scripts/coverage).
c_push:          cover property (@(posedge clk_i) disable iff (!rst_ni) comes[0]);
c_full_rate:     cover property (@(posedge clk_i) disable iff (!rst_ni) comes[Rate-1]);
c_append:        cover property (@(posedge clk_i) disable iff (!rst_ni) comes[0] && push_holds);
c_push_and_pop:  cover property (@(posedge clk_i) disable iff (!rst_ni) comes[0] && pop_i && (push_vl_i == pop_vl_i));
c_other_vl:      cover property (@(posedge clk_i) disable iff (!rst_ni) comes[0] && pop_i && (push_vl_i != pop_vl_i));
c_all_taken:     cover property (@(posedge clk_i) disable iff (!rst_ni) taken_q == '1);

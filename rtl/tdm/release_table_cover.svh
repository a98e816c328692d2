// Events of release_table that its benches must bring about (scripts/coverage).
c_alone:      cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_i && all_o && !hit);
c_begun:      cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_i && !all_o && !hit);
c_more:       cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_i && !all_o && hit);
c_complete:   cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_i && all_o && hit);
c_later:      cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_i && hit && (cleared_o != cleared_i));
c_several:    cover property (@(posedge clk_i) disable iff (!rst_ni) confirm_i && !hit && (valid_q != '0));
c_drop:       cover property (@(posedge clk_i) disable iff (!rst_ni) drop_i && valid_q[0] && (record_q[0] == record_i));
c_drop_other: cover property (@(posedge clk_i) disable iff (!rst_ni) drop_i && valid_q[0] && (record_q[0] != record_i));

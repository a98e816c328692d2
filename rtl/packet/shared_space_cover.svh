// Events of shared_space that the benches of the blocks around it must bring about (scripts/coverage).
c_take:          cover property (@(posedge clk_i) disable iff (!rst_ni) take_i != '0);
c_give:          cover property (@(posedge clk_i) disable iff (!rst_ni) give_i != '0);
c_take_and_give: cover property (@(posedge clk_i) disable iff (!rst_ni) (take_i != '0) && (give_i != '0));
c_none_shared:   cover property (@(posedge clk_i) disable iff (!rst_ni) shared == '0);
c_no_room:       cover property (@(posedge clk_i) disable iff (!rst_ni) room_o == '0);

// Events of iq_mesh that its benches must bring about (scripts/coverage).
c_all_inject:      cover property (@(posedge clk_i) disable iff (!rst_ni) &flit_valid_i);
c_half_eject:      cover property (@(posedge clk_i) disable iff (!rst_ni) 2 * $countones(flit_valid_o) >= Nodes);
c_flit_in_reset:   cover property (@(posedge clk_i) !rst_ni && flit_valid_i != '0);
for (genvar n = 0; n < Nodes; n = n + 1) begin : gen_cover
  c_to_itself: cover property (@(posedge clk_i) disable iff (!rst_ni)
                               gen_router[n].in_valid[0] && gen_router[n].in_head[0] && (gen_router[n].hop[0 +: PortW] == '0));
  c_turns:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                               gen_router[n].in_valid[1] && gen_router[n].in_head[1] && (gen_router[n].hop[PortW +: PortW] > PortW'(2)));
end

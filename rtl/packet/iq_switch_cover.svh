// Events of iq_switch that the benches of iq_router must bring about (scripts/coverage).
c_idle:          cover property (@(posedge clk_i) disable iff (!rst_ni) ready_i == '0);
c_ready_in_vain: cover property (@(posedge clk_i) disable iff (!rst_ni) (ready_i & ~send_o) != '0);
for (genvar p = 0; p < Ports; p = p + 1) begin : gen_cover_port
  c_two_ready: cover property (@(posedge clk_i) disable iff (!rst_ni) !$onehot0(gen_input[p].ready));
  c_refused:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                               (gen_input[p].ready != '0) && (gen_input[p].send == '0));
  c_second_vc: cover property (@(posedge clk_i) disable iff (!rst_ni) (Vcs > 1) && gen_input[p].send[Vcs-1]);
end
if (Ports > 1) begin : gen_cover_cross
  c_two_cross: cover property (@(posedge clk_i) disable iff (!rst_ni) !$onehot0(cross_o));
end

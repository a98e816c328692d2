// Events of hop_choice that the benches of iq_router must bring about (scripts/coverage).
c_one_candidate: cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && $onehot(candidate));
c_several:       cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && !$onehot0(candidate));
c_nothing_free:  cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && (candidate == '0));
c_won:           cover property (@(posedge clk_i) disable iff (!rst_ni) won_i != '0);
c_lost:          cover property (@(posedge clk_i) disable iff (!rst_ni) (request_o != '0) && (won_i == '0));
c_some_vcs:      cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && (vcs_i != '1));
c_last_port:     cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && hop[Ports-1]);
if (Trunk > 1) begin : gen_cover_trunk
  c_one_port:          cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && (count_i == CountW'(1)));
  c_trunk:             cover property (@(posedge clk_i) disable iff (!rst_ni) request_i && (count_i == CountW'(Trunk)));
  c_pointer_of_larger: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       request_i && (32'(pointer_q) > 32'(count_i) * Vcs));
end

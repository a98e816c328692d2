// Events of iq_router that its benches must bring about (scripts/coverage).
c_all_send:        cover property (@(posedge clk_i) disable iff (!rst_ni) &flit_valid_o);
c_all_arrive:      cover property (@(posedge clk_i) disable iff (!rst_ni) &flit_valid_i);
c_all_credits:     cover property (@(posedge clk_i) disable iff (!rst_ni) &credit_valid_i);
c_flit_in_reset:   cover property (@(posedge clk_i) !rst_ni && flit_valid_i != '0);
c_credit_in_reset: cover property (@(posedge clk_i) !rst_ni && credit_valid_i != '0);
for (genvar o = 0; o < Ports; o = o + 1) begin : gen_cover_output
  c_back_where_it_came_from: cover property (@(posedge clk_i) disable iff (!rst_ni) passes[o*Ports + o]);
  c_single_flit:             cover property (@(posedge clk_i) disable iff (!rst_ni)
                                             flit_valid_o[o] && flit_head_o[o] && flit_tail_o[o]);
  for (genvar v = 0; v < Vcs; v = v + 1) begin : gen_vc
    c_last_credit:         cover property (@(posedge clk_i) disable iff (!rst_ni)
                                           gen_output[o].used[v] && (gen_output[o].gen_vc[v].credit == CreditW'(1)));
    c_no_credit:           cover property (@(posedge clk_i) disable iff (!rst_ni)
                                           gen_output[o].gen_vc[v].taken_q && (gen_output[o].gen_vc[v].credit == '0));
    c_credit_used_at_once: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                           gen_output[o].used[v] && (gen_output[o].gen_vc[v].credit_q == '0));
    c_all_credits_back:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                           gen_output[o].gen_vc[v].credit == CreditW'(Buffer));
    c_taken_in_reset:      cover property (@(posedge clk_i) !rst_ni && gen_output[o].gen_vc[v].taken_q);
    if (WhenEmpty != 0) begin : gen_when_empty
      c_not_empty_yet: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       !gen_output[o].gen_vc[v].taken_q && !free[v*Ports + o]);
    end
  end
end

// Events of iq_input_vc that the benches of iq_router must bring about (scripts/coverage).
c_head_waits:     cover property (@(posedge clk_i) disable iff (!rst_ni) requests && !matched);
c_matched:        cover property (@(posedge clk_i) disable iff (!rst_ni) matched);
c_single_flit:    cover property (@(posedge clk_i) disable iff (!rst_ni) pop_i && head_o && tail_o);
c_head:           cover property (@(posedge clk_i) disable iff (!rst_ni) pop_i && head_o && !tail_o);
c_body:           cover property (@(posedge clk_i) disable iff (!rst_ni) pop_i && !head_o && !tail_o);
c_tail:           cover property (@(posedge clk_i) disable iff (!rst_ni) pop_i && !head_o && tail_o);
c_no_credit:      cover property (@(posedge clk_i) disable iff (!rst_ni) usable && valid && !ready_o);
c_no_flit:        cover property (@(posedge clk_i) disable iff (!rst_ni) owned_q && !valid);
c_not_granted:    cover property (@(posedge clk_i) disable iff (!rst_ni) ready_o && !pop_i);
c_owned_in_reset: cover property (@(posedge clk_i) !rst_ni && owned_q);
if (VcAllocation == 0) begin : gen_cover_at_once
  c_at_once: cover property (@(posedge clk_i) disable iff (!rst_ni) matched && pop_i);
end

// Events of stage_timer that the benches of its users must bring about (scripts/coverage).
if (Cycles > 0) begin : gen_cover
  c_waits: cover property (@(posedge clk_i) disable iff (!rst_ni) run_i && !done_o);
  c_done:  cover property (@(posedge clk_i) disable iff (!rst_ni) done_o && clear_i);
  c_stays: cover property (@(posedge clk_i) disable iff (!rst_ni) done_o && !clear_i);
end

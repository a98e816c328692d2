// Events of delay_line that the benches of its users must bring about (scripts/coverage).
if (Cycles > 0) begin : gen_cover
  c_word:          cover property (@(posedge clk_i) disable iff (!rst_ni) data_i != '0);
  c_after:         cover property (@(posedge clk_i) disable iff (!rst_ni) data_o != '0);
  c_lost_in_reset: cover property (@(posedge clk_i) !rst_ni && data_o != '0);
end

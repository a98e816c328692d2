// Events of vc_buffer that the benches of its users must bring about (scripts/coverage).
c_passes:        cover property (@(posedge clk_i) disable iff (!rst_ni) empty && push_i && pop_i);
c_waits:         cover property (@(posedge clk_i) disable iff (!rst_ni) empty && push_i && !pop_i);
c_in_and_out:    cover property (@(posedge clk_i) disable iff (!rst_ni) !empty && push_i && pop_i);
c_full:          cover property (@(posedge clk_i) disable iff (!rst_ni) count_q == CountW'(Depth));
c_full_to_empty: cover property (@(posedge clk_i) disable iff (!rst_ni) (count_q == CountW'(1)) && pop_i && !push_i);
c_wraps:         cover property (@(posedge clk_i) disable iff (!rst_ni) push_i && (write_q == PlaceW'(Depth - 1)));
c_lost_in_reset: cover property (@(posedge clk_i) !rst_ni && !empty);

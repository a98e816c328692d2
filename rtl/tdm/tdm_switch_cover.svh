// Events of tdm_switch that its benches must bring about (scripts/coverage).
c_idle:          cover property (@(posedge clk_i) disable iff (!rst_ni) out_valid_o == '0);
c_all_send:      cover property (@(posedge clk_i) disable iff (!rst_ni) &out_valid_o);
c_swap_and_send: cover property (@(posedge clk_i) disable iff (!rst_ni) swapped_o && (out_valid_o != '0));
c_word_in_reset: cover property (@(posedge clk_i) !rst_ni && in_valid_i != '0);
for (genvar o = 0; o < Ports; o = o + 1) begin : gen_cover_output
  c_nothing_arrived: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     gen_output[o].from_valid && !out_valid_o[o]);
  c_whole_frame:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                     out_valid_o[o] && (gen_output[o].from_slot == slot_i));
  for (genvar i = 0; i < Ports; i = i + 1) begin : gen_from
    c_overwritten: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                   out_valid_o[o] && (gen_output[o].from_port == PortW'(i)) && in_valid_i[i] &&
                                   (gen_input[i].label == gen_output[o].from_slot));
  end
  if (o > 0) begin : gen_multicast
    c_multicast: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                 out_valid_o[o] && out_valid_o[o-1] &&
                                 (column[o*EntryW +: EntryW] == column[(o-1)*EntryW +: EntryW]));
  end
  if (Ports < Leaves) begin : gen_no_port
    c_no_such_port: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    gen_output[o].from_valid && (32'(gen_output[o].from_port) >= Ports));
  end
end
for (genvar i = 0; i < Ports; i = i + 1) begin : gen_cover_input
  c_emptied:  cover property (@(posedge clk_i) disable iff (!rst_ni)
                              !in_valid_i[i] && gen_input[i].valid_q[gen_input[i].label]);
  c_replaced: cover property (@(posedge clk_i) disable iff (!rst_ni)
                              in_valid_i[i] && gen_input[i].valid_q[gen_input[i].label]);
end

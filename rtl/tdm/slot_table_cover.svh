// Events of slot_table that its benches must bring about (scripts/coverage).
c_swap:              cover property (@(posedge clk_i) disable iff (!rst_ni) swap_now);
c_waits:             cover property (@(posedge clk_i) disable iff (!rst_ni) pending_q && !swap_now);
c_request_in_slot_0: cover property (@(posedge clk_i) disable iff (!rst_ni) swap_i && !pending_q && (slot_i == '0));
c_request_in_swap:   cover property (@(posedge clk_i) disable iff (!rst_ni) swap_now && swap_i);
c_request_again:     cover property (@(posedge clk_i) disable iff (!rst_ni) pending_q && !swap_now && swap_i);
c_write_in_swap:     cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && swap_now);
c_write_slot_read:   cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && (cfg_slot_i == slot_i));
c_write_again:       cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && written_q[write_address]);
c_unwritten:         cover property (@(posedge clk_i) disable iff (!rst_ni) !written_q[read_address]);
c_second_bank:       cover property (@(posedge clk_i) disable iff (!rst_ni) bank && written_q[read_address]);
c_last_slot:         cover property (@(posedge clk_i) disable iff (!rst_ni) 32'(slot_i) == Slots - 1);
c_write_in_reset:    cover property (@(posedge clk_i) !rst_ni && cfg_we_i);
c_request_in_reset:  cover property (@(posedge clk_i) !rst_ni && swap_i);

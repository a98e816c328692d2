// Events of command_sequencer that its benches must bring about (scripts/coverage).
c_switch_alone:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (state_q == Decode) && !illegal_o && (units == 3'b001));
c_dma_alone:           cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (state_q == Decode) && !illegal_o && (units == 3'b010));
c_user_logic:          cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (state_q == Decode) && !illegal_o && (units == 3'b100));
c_switch_and_dma:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (state_q == Decode) && !illegal_o && (units == 3'b011));
c_accepted_together:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (waiting_q == 3'b011) && (ready_i[1:0] == 2'b11));
c_accepted_apart:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (waiting_q == 3'b011) && (ready_i[1:0] == 2'b01));
c_done_before_other:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (waiting_q != '0) && ((running_q & done_i) != '0));
c_done_together:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (running_q == 3'b011) && (done_i[1:0] == 2'b11));
c_next:                cover property (@(posedge clk_i) disable iff (!rst_ni) completed_o && (count_q != '0));
c_next_by_doorbell:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       completed_o && (count_q == '0) && (handed_over != '0));
c_last:                cover property (@(posedge clk_i) disable iff (!rst_ni) completed_o && (handed_over == '0));
c_no_opcode:           cover property (@(posedge clk_i) disable iff (!rst_ni) illegal_o && fetched_written_q);
c_not_written:         cover property (@(posedge clk_i) disable iff (!rst_ni) illegal_o && !fetched_written_q);
c_program_forgotten:   cover property (@(posedge clk_i) disable iff (!rst_ni) illegal_o && (count_q != '0));
c_doorbell_in_illegal: cover property (@(posedge clk_i) disable iff (!rst_ni) illegal_o && doorbell_i);
c_doorbell_refused:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       doorbell_i && !illegal_o && !doorbell_ok_o);
c_doorbell_of_none:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       doorbell_ok_o && (doorbell_count_i == '0));
c_doorbell_of_all:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       doorbell_ok_o && (32'(doorbell_count_i) == Depth));
c_doorbell_in_fetch:   cover property (@(posedge clk_i) disable iff (!rst_ni) doorbell_ok_o && (state_q == Fetch));
c_wraps:               cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       (state_q == Fetch) && (32'(entry_q) == Depth - 1));
c_write_in_fetch:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                       write && (state_q == Fetch) && (cfg_index_i == entry_q));
c_write_nowhere:       cover property (@(posedge clk_i) disable iff (!rst_ni) cfg_we_i && !write);
c_stray_idle:          cover property (@(posedge clk_i) disable iff (!rst_ni) (stray_o != '0) && idle_o);
c_stray_in_run:        cover property (@(posedge clk_i) disable iff (!rst_ni) (stray_o != '0) && (state_q == Run));
c_cut_in_reset:        cover property (@(posedge clk_i) !rst_ni && state_q == Run);
c_doorbell_in_reset:   cover property (@(posedge clk_i) !rst_ni && doorbell_i);
c_write_in_reset:      cover property (@(posedge clk_i) !rst_ni && cfg_we_i);

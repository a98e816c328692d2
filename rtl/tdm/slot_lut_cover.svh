// Events of slot_lut that its benches must bring about (scripts/coverage).
c_query_free:       cover property (@(posedge clk_i) disable iff (!rst_ni) req_valid_i && (req_op_i == OpQuery) && ok);
c_query_none:       cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpQuery) && !ok && row_ok);
c_query_no_row:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpQuery) && !row_ok);
c_reserve:          cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpReserve) && ok);
c_reserve_taken:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpReserve) && row_ok && mask_used && !all_free);
c_reserve_empty:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpReserve) && !mask_used);
c_reserve_no_row:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpReserve) && !row_ok && mask_used);
c_release:          cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpRelease) && ok);
c_release_free:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpRelease) && row_ok && !none_free);
c_release_empty:    cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpRelease) && !mask_used);
c_release_no_row:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (req_op_i == OpRelease) && !row_ok && mask_used);
c_no_operation:     cover property (@(posedge clk_i) disable iff (!rst_ni) req_valid_i && (req_op_i == 2'd3));
c_first_change:     cover property (@(posedge clk_i) disable iff (!rst_ni) change && !written_q[req_row_i]);
c_row_emptied:      cover property (@(posedge clk_i) disable iff (!rst_ni) change && (own_d == '0));
c_row_all_free:     cover property (@(posedge clk_i) disable iff (!rst_ni) change && (own_d == '1));
c_last_slot:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && free[Slots-1] && (lowest[Slots-1] != 1'b0));
c_back_to_back:     cover property (@(posedge clk_i) disable iff (!rst_ni) rsp_valid_o && req_valid_i);
c_request_in_reset: cover property (@(posedge clk_i) !rst_ni && req_valid_i);

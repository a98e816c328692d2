// Events of stripe_address that its benches must bring about (scripts/coverage).
c_lower:            cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && some && (last <= Half));
c_upper:            cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && some && (base >= Half));
c_both:             cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && (base < Half) && (last > Half));
c_no_bytes:         cover property (@(posedge clk_i) disable iff (!rst_ni) req_valid_i && fits && !some);
c_no_bytes_at_half: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && !some && (base == Half));
c_ends_at_half:     cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && some && (last == Half));
c_begins_at_half:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && some && (base == Half));
c_one_byte_above:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && (base < Half) && (last == Half + SumW'(1)));
c_fills:            cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && (base == '0) && (last == Stripe));
c_last_stripe:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && fits && (32'(req_index_i) == Stripes - 1));
c_no_stripe:        cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (32'(req_index_i) == Stripes));
c_base_at_end:      cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && (base == Stripe) && (32'(req_index_i) < Stripes));
c_base_beyond:      cover property (@(posedge clk_i) disable iff (!rst_ni) req_valid_i && (base > Stripe));
c_overlap_by_one:   cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && overlap && (last == Stripe + SumW'(1)));
c_overlap:          cover property (@(posedge clk_i) disable iff (!rst_ni)
                                    req_valid_i && overlap && (last > Stripe + SumW'(1)));
c_back_to_back:     cover property (@(posedge clk_i) disable iff (!rst_ni) rsp_valid_o && req_valid_i);
c_request_in_reset: cover property (@(posedge clk_i) !rst_ni && req_valid_i);

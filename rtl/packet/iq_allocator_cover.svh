// Events of iq_allocator that the benches of its users must bring about (scripts/coverage).
c_nothing: cover property (@(posedge clk_i) disable iff (!rst_ni) request_i == '0);
c_matches: cover property (@(posedge clk_i) disable iff (!rst_ni) match_o != '0);
if (Last > 0) begin : gen_cover_rounds
  c_later_round: cover property (@(posedge clk_i) disable iff (!rst_ni) (match_o & ~first_o) != '0);
end
for (genvar r = 0; r < Resources; r = r + 1) begin : gen_cover_resource
  c_contended:    cover property (@(posedge clk_i) disable iff (!rst_ni) !$onehot0(gen_round[0].gen_grant[r].column));
  c_not_accepted: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                  (gen_round[0].gen_grant[r].grant != '0) && (gen_pointer[r].winner == '0));
end
for (genvar q = 0; q < Requesters; q = q + 1) begin : gen_cover_requester
  c_two_grants: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                !$onehot0(gen_round[0].granted[q*Resources +: Resources]));
  c_left_alone: cover property (@(posedge clk_i) disable iff (!rst_ni)
                                (request_i[q*Resources +: Resources] != '0) &&
                                (match_o[q*Resources +: Resources] == '0));
end

// Events of round_robin that the benches of its users must bring about (scripts/coverage).
always_comb begin
  c_none:         cover (request_i == '0);
  c_beyond:       cover (beyond != '0);
  c_wraps:        cover ((request_i != '0) && (beyond == '0));
  c_position_end: cover ((request_i != '0) && (32'(from_i) == Requests));
  c_all:          cover (&request_i);
end

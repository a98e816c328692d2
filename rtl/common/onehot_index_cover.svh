// Events of onehot_index that the benches of its users must bring about (scripts/coverage).
always_comb begin
  c_none:  cover (onehot_i == '0);
  c_first: cover (onehot_i[0]);
  c_last:  cover (onehot_i[Bits-1]);
end

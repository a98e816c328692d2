// Events of message_effect that the benches of setup_unit must bring about (scripts/coverage).
always_comb begin
  c_none:      cover (effect_o == None);
  c_onward:    cover (from_source && (effect_o == Send));
  c_answer:    cover (from_branch && (effect_o == Send));
  c_fault:     cover (effect_o == SendAndClear);
  c_torn:      cover (from_source && (effect_o == Clear));
  c_confirmed: cover (from_branch && (effect_o == Clear));
  c_withdraw:  cover (from_source && (effect_o == WithdrawAll));
  c_first_end: cover (from_branch && (effect_o == WithdrawAll));
  c_last_end:  cover (effect_o == End);
end

# message_effect message_effect.sv: branches are withdrawn a second time
# alone a_withdraw
s/else if \(!withdrawing_i\) effect_o = WithdrawAll;/else effect_o = WithdrawAll;/

# message_effect message_effect.sv: the source accepts as a branch does
# alone a_source
# alone a_answer
s/assign from_branch  = .*/assign from_branch  = (branch \& (outs_i | (Ports'(1) << in_i))) != '0;/

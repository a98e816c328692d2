# message_effect message_effect.sv: a teardown that goes onward comes from a branch
# alone a_forward
s/from_branch \&\& teardown \&\& !forward_i\) begin/from_branch \&\& teardown) begin/

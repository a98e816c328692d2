# message_effect message_effect.sv: any message of a branch accepts
# alone a_accepts
s/from_branch \&\& \(kind_i == Accept\)/from_branch/

# message_effect message_effect.sv: a request counts as an acceptance
# alone a_kinds
s/\(kind_i == Accept\)/((kind_i == Accept) || (kind_i == 3'd0))/

# drr drr.sv: a turn ends in a cycle without a decision
# alone a_rest_stays
s/decide \? \(covers \|\| found\) : in_turn_q/decide \&\& (covers || found)/

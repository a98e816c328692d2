# dtable dtable.sv: the selected entry is lost in a cycle without a decision
# alone a_rest_stays
s/decide \? \(covers \|\| found\) : selected_q/decide \&\& (covers || found)/

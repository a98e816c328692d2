# slot_choice slot_choice.sv: one free slot more than wanted is needed
# alone a_refused
s/picking \&\& \(all_served \? lacks_q : few\)/picking \&\& (all_served ? (lacks_q || (left_q == '0)) : few)/;s/ \&\& !lacks_q\)/ \&\& !lacks_q \&\& (left_q != '0))/

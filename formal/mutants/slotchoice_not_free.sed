# slot_choice slot_choice.sv: a slot that is not free is accepted
# alone a_enough
s/picking \&\& \(all_served \? lacks_q : few\)/picking \&\& !all_served \&\& few/;s/ \&\& !lacks_q\)/)/

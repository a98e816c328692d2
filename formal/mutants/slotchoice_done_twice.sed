# slot_choice slot_choice.sv: a choice is done when it is refused
# alone a_busy
s/all_served \&\& !update_i \&\& !lacks_q\)/all_served \&\& !update_i)/

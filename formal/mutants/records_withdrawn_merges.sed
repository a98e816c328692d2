# circuit_records circuit_records.sv: a branch that was withdrawn has a say in slots and lateness
# alone a_common
# alone a_late
s/!alone \&\& !\(wins \? withdrawn_o : withdrawn_i\)/!alone/

# setup_unit setup_unit.sv: entries for slots that were not chosen
# alone a_set
s/\(state_q == StClear\) \? clear_q : chosen/(state_q == StClear) ? clear_q : '1/

# setup_unit setup_unit.sv: entries of other circuits are taken out as well
# alone a_clear
s/\(state_q == StClear\) \? clear_q : chosen/(state_q == StClear) ? '1 : chosen/

# setup_unit setup_unit.sv: entries stay in the table when a circuit is given up
# alone a_out
s/\(state_q == StClear\) \? clear_q : chosen/(state_q == StClear) ? '0 : chosen/

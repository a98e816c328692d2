# egress_port egress_port.sv: places are not given back
# alone a_space
s/\.take_i\(reserve_i\), \.give_i\(leave\)/.take_i(reserve_i), .give_i('0)/

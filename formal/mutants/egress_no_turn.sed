# egress_port egress_port.sv: the lowest VL always comes first
# alone a_turn
s/from_q <= FromW'\(grant_vl_o\) \+ FromW'\(1\)/from_q <= '0/

# switch_control switch_control.sv: a refused instruction is not told
# alone a_refused
s/assign refused_o = .*;/assign refused_o = 1'b0;/

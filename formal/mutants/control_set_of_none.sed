# switch_control switch_control.sv: paths are set without an instruction
# alone a_set
s/set_i && holds_q && !set_q && rst_ni/set_i \&\& !set_q \&\& rst_ni/

# switch_control switch_control.sv: paths are set a second time
# alone a_notify
s/set_i && holds_q && !set_q && rst_ni/set_i \&\& holds_q \&\& rst_ni/

# switch_control switch_control.sv: an instruction is written over another one
# alone a_select
# alone a_writer
s/assign write     = write_i && !holds_q && rst_ni;/assign write     = write_i \&\& rst_ni;/

# switch_control switch_control.sv: an instruction whose paths are not set is not cleared
# alone a_holds
# alone a_cut
s/assign clear     = clear_i && holds_q;/assign clear     = clear_i \&\& set_q;/

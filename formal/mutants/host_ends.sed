# host_interface host_interface.sv: the mark of a stray ends a message
# alone a_ends
s/= takes \&\& in_last_i\[l\]/= in_last_i[l]/

# host_interface host_interface.sv: only last words are received
# alone a_takes
s/takes \| in_valid_i\[l\]/takes | in_last_i[l]/

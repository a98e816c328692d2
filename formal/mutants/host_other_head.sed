# host_interface host_interface.sv: the first circuit's queue decides about all
# alone a_sends
s/sends \| head_valid\[c\]/sends | head_valid[0]/

# host_interface host_interface.sv: messages of all circuits come at the first one's pin
# alone a_ready
s/\.msg_valid_i\(msg_valid_i\[c\]\)/.msg_valid_i(msg_valid_i[0])/

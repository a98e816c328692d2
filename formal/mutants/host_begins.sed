# host_interface host_interface.sv: no word is received as a first one
# alone a_begins
s/takes \&\& \(got == '0\)/(got == '0)/

# host_interface host_interface.sv: an idle link shows a stray
# alone a_stray
s/in_valid_i\[l\] \&\& !takes/!takes/

# host_interface host_interface.sv: bits of no word are on the link
# alone a_data
s/sends \? data_i\[l\*Width \+: Width\] : '0/data_i[l*Width +: Width]/

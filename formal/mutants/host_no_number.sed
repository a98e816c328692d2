# host_interface host_interface.sv: words that leave have no number
# alone a_index
s/index \| head_index\[c\*SizeW \+: SizeW\]/index/

# host_interface host_interface.sv: words that arrive are counted by the first circuit
# alone a_number
s/got   = got \| got_q\[c\*SizeW \+: SizeW\]/got   = got | got_q[0 +: SizeW]/

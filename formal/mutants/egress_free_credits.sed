# egress_port egress_port.sv: credits are not spent
# alone a_next_maximum
# alone a_next_capacity
s/next\[v\] \? NextW'\(head_size\[v\*SizeW \+: SizeW\]\) : '0/'0/

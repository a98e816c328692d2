# egress_port egress_port.sv: the head is marked as the tail
# alone a_tail
s/link_valid_o && \(left_q == SizeW'\(1\)\)/link_valid_o \&\& first_q/

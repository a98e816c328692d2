# egress_port egress_port.sv: a message sends a flit too many
# alone a_exists
s/else if \(start\) left_q <= start_size/else if (start) left_q <= start_size + SizeW'(1)/

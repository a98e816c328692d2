# egress_port egress_port.sv: every flit of a message is marked as its head
# alone a_head
s/first_q <= start;/first_q <= start || (first_q \&\& !link_tail_o);/

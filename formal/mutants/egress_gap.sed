# egress_port egress_port.sv: no decision while the tail is on the link
# alone a_asked
s/\(busy_q == '0\) && \(\(Scheduler/(busy_q == '0) \&\& !link_valid_o \&\& ((Scheduler/

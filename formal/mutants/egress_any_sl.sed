# egress_port egress_port.sv: a message is offered to all SLs
# alone a_sl
s/ready\[v\] && \(head_sl\[v\*SlW \+: SlW\] == SlW'\(s\)\)/ready[v]/

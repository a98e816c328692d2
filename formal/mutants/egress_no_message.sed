# egress_port egress_port.sv: a message that has not come is offered
# alone a_message
s/ready\[v\] = waits && /ready[v] = /

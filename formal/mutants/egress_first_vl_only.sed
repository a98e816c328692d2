# egress_port egress_port.sv: only VL 0 makes its SL active
# alone a_active
s/active\[s\] = candidate != '0/active[s] = candidate[0]/

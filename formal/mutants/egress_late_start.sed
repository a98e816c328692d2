# egress_port egress_port.sv: a message begins a cycle late on the link
# alone a_start
s/\.Cycles\(\(Output > 0\) \? \(Output - 1\) : 0\)/.Cycles(Output)/

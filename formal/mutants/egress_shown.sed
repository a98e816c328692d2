# egress_port egress_port.sv: a VL is shown without a grant
# alone a_quiet
s/next       = grant_o \? lane\[grant_sl_o\*NumVl \+: NumVl\] : '0/next = lane[grant_sl_o*NumVl +: NumVl]/

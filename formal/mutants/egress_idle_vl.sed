# egress_port egress_port.sv: the idle link shows the last VL
# alone a_idle_link
s/link_vl_o    = link_valid_o \? sends_q : '0/link_vl_o = sends_q/

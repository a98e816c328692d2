# egress_port egress_port.sv: a reset leaves the message on the link
s/if \(!rst_ni\) left_q <= '0;/if (1'b0) left_q <= '0;/

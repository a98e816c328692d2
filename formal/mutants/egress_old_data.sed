# egress_port egress_port.sv: a flit that comes while the link is busy has the data of the one before
# alone a_data
s/data_q <= data_i;/if (!link_valid_o) data_q <= data_i;/

# circuit_records circuit_records.sv: a host is behind every output
# alone a_place
s/<= hosts_i;/<= outs_i;/

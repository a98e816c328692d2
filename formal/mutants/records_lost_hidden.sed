# circuit_records circuit_records.sv: a lost circuit is not found
# alone a_hit
s/\(lost_q\[r\] == lost_i\)/!lost_q[r] \&\& !lost_i/

# circuit_records circuit_records.sv: a circuit that is lost is found beside the one that is not
# alone a_hit_at
s/ \&\& \(lost_q\[r\] == lost_i\)//

# circuit_records circuit_records.sv: the search sees the number of the record that is shown
# alone a_scan_key
s/key_q\[scan_i\]/key_q[record_i]/

# circuit_records circuit_records.sv: the first teardown that has left ends the record
# alone a_valid
s/told_i \&\& told_all_o\)/told_i)/

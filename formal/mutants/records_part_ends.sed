# circuit_records circuit_records.sv: a part that is given up ends the circuit
# alone a_valid
s/remove_i \&\& \(kept == '0\)/remove_i/

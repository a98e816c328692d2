# circuit_records circuit_records.sv: of several teardowns one is to leave
# alone a_told_all
s/untold_q\[record_i\] \+ \(PortW/(PortW/

# circuit_records circuit_records.sv: a new circuit is lost as the one before in its record
# alone a_lost
s/if \(install_i\) lost_q\[record_i\] <= 1'b0;//

# circuit_records circuit_records.sv: all outputs of a lost circuit have failed
# alone a_failed
s/<= failed_i;/<= outs_o;/

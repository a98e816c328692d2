# release_table release_table.sv: the end of a circuit drops the releases of all
s/if \(record_q\[e\] == record_i\) valid_q/valid_q/

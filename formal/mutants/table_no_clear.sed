# slot_table slot_table.sv: columns of the last life show after reset
# alone a_column
s/written_q\[read_address\] \? (mem_q\[read_address\]) : '0/\1/

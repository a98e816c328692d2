# circuit_records circuit_records.sv: only the last branch has ended
# alone a_ended
s/ended_o \| branch_i/branch_i/

# circuit_records circuit_records.sv: only the last branch has accepted
# alone a_accepted
s/accepted_o \| branch_i/branch_i/

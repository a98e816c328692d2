# circuit_records circuit_records.sv: a branch that ends in the next cycle ends no later
# alone a_cleared
s/> \$signed\(cleared_o\)/> $signed((cleared_o ^ 1'b1))/

# circuit_records circuit_records.sv: words come in the slots in which they leave
# alone a_came
s/<= came_i;/<= slots_i;/

# arbitration_table arbitration_table.sv: messages cost nothing
# alone a_sl
s/\? available - WeightW'\(size_i\)/? available/

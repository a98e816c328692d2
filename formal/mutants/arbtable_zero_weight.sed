# arbitration_table arbitration_table.sv: entries of weight 0 have turns
# alone a_any
s/<= cfg_weight_i != '0/<= 1'b1/

# dtable dtable.sv: entries of weight 0 are selected
s/<= cfg_weight_i != '0/<= 1'b1/

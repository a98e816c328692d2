# drr drr.sv: SLs without a quantum have turns
s/<= cfg_weight_i != '0/<= 1'b1/

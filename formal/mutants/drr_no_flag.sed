# drr drr.sv: saturation is not told
# alone a_saturated
s/saturated_o = move && overflow/saturated_o = 1'b0/

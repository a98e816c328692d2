# slot_drain slot_drain.sv: failed ports are done with the first row
# alone a_done
s/assign done_o      = pop /assign done_o      = lut_valid_o /

# slot_drain slot_drain.sv: the host's last word is not waited for
# alone a_head
s/assign quiet       = .*/assign quiet       = out_of_effect_i;/

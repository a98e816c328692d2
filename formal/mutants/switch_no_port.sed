# tdm_switch tdm_switch.sv: entries that name no port fall on port 0
# alone a_idle
s/assign valid = 1'b0;/assign valid = gen_input[0].valid_q[from_slot];/

# tdm_switch tdm_switch.sv: the word of the current slot is read, whatever slot the entry names
# alone a_word
s/mem_q\[from_slot\]/mem_q[slot_i]/

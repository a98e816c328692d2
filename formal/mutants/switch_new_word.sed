# tdm_switch tdm_switch.sv: a word that arrives in the cycle of its register is sent at once
# alone a_word
s/= gen_input\[k-Leaves\]\.mem_q\[from_slot\]/= (in_valid_i[k-Leaves] \&\& in_slot_i[(k-Leaves)*SlotW +: SlotW] == from_slot) ? in_word_i[(k-Leaves)*Width +: Width] : gen_input[k-Leaves].mem_q[from_slot]/

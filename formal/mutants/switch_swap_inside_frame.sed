# tdm_switch slot_table.sv: the bank is exchanged inside the frame
# alone a_entry
# alone a_pending
# alone a_swapped
s/pending_q && \(slot_i == '0\)/pending_q \&\& (slot_i == 1)/

# tdm_switch slot_table.sv: the bank is exchanged inside the frame
s/pending_q && \(slot_i == '0\)/pending_q \&\& (slot_i == 1)/

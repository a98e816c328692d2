# tdm_switch tdm_switch.sv: the network slot is taken for the label of the arriving word
s/assign label = in_slot_i\[i\*SlotW \+: SlotW\]/assign label = slot_i/

# setup_unit setup_unit.sv: a release gives up slots that the circuit does not have
# alone a_part
s/slot_update_i\) \? slots_q : r_slots;/slot_update_i) ? '1 : r_slots;/

# setup_unit setup_unit.sv: a request reserves all slots
# alone a_free
s/free_lut \? free_slots : ask_slots/free_lut ? free_slots : reserve_lut ? '1 : ask_slots/

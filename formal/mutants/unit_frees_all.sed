# setup_unit setup_unit.sv: all slots of a row are released
# alone a_own
s/free_lut \? free_slots : ask_slots/free_lut ? '1 : ask_slots/

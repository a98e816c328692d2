# setup_unit setup_unit.sv: no slots drain
# alone a_drains
s/\? r_slots : clear_q;/? r_slots : '0;/

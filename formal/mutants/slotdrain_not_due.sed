# slot_drain slot_drain.sv: slots are free before their time
# alone a_due
s/assign due       = head_valid_o .*/assign due       = head_valid_o;/

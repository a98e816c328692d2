# slot_lut slot_lut.sv: reserve does not check that the slots are free
# alone a_single_owner
s/(OpReserve: ok = mask_used) && all_free;/\1;/

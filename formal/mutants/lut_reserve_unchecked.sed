# slot_lut slot_lut.sv: reserve does not check that the slots are free
s/(OpReserve: ok = mask_used) && all_free;/\1;/

# slot_lut slot_lut.sv: reserve checks for one free slot instead of all
s/(OpReserve: ok = mask_used && )all_free;/\1!none_free;/

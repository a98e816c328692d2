# slot_lut slot_lut.sv: reserve checks for one free slot instead of all
# alone a_ok_reserve
s/(OpReserve: ok = mask_used && )all_free;/\1!none_free;/

# slot_lut slot_lut.sv: an empty mask is granted
# alone a_ok_reserve
s/ok = mask_used && /ok = /

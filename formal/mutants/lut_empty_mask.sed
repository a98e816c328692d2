# slot_lut slot_lut.sv: an empty mask is granted
s/ok = mask_used && /ok = /

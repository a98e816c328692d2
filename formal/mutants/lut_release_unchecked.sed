# slot_lut slot_lut.sv: release does not check that the slots are held
# alone a_release_held
s/(OpRelease: ok = mask_used) && none_free/\1/

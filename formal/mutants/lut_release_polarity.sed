# slot_lut slot_lut.sv: release takes the slots again instead of giving them back
# alone a_ok_release
# alone a_round_reserve
s/\(own \| req_slots_i\)/(own \& ~req_slots_i)/

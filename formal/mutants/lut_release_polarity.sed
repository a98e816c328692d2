# slot_lut slot_lut.sv: release takes the slots again instead of giving them back
s/\(own \| req_slots_i\)/(own \& ~req_slots_i)/

# slot_lut slot_lut.sv: the highest slot is offered instead of the lowest
# alone a_lowest
s/free & \(~free \+ Slots'\(1\)\)/free \& ~(free >> 1)/

# slot_lut slot_lut.sv: the first slot is that of the row, whatever was received
# alone a_first
s/lowest    = free & \(~free \+/lowest    = own \& (~own +/

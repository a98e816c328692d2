# slot_drain slot_drain.sv: the readout shows the slots in which words come for those in which they leave
# alone a_shown
s/data_o\(\{key_o, failed, outs_o, slots_o, came_o,/data_o({key_o, failed, outs_o, came_o, slots_o,/

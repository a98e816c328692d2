# slot_choice slot_choice.sv: the cycles on the wire do not count
# alone a_picked
s/assign on_wire    = .*/assign on_wire    = (CountW + 1)'(lane);/

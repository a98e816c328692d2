# slot_choice slot_choice.sv: every free slot is taken, not the lowest ones
# alone a_same: Slots=2
s/slots_q \| \(left_q \& \(~left_q \+ Slots'\(1\)\)\)/slots_q | left_q/

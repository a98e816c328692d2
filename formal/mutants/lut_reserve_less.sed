# slot_lut slot_lut.sv: reserve leaves the lowest slot of its mask free
# alone a_round_release
s/own & ~req_slots_i\)/own \& ~(req_slots_i \& (req_slots_i - Slots'(1))))/

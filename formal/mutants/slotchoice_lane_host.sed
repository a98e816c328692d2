# slot_choice slot_choice.sv: lane 0 leaves in the slot in which the host sends it
# alone a_start
s/lane_q     <= walk_q;/lane_q     <= lowest_of(source);/

# slot_drain slot_drain.sv: slots of another input are released
# alone a_port
s/key_i, failed_i, outs_i, slots_i, came_i, in_i, first_i/key_i, failed_i, outs_i, slots_i, came_i, ~in_i, first_i/

# slot_choice slot_choice.sv: no lane is faster than lane 0
# alone a_ahead
s/ahead_q <= faster_q\[CountW-1:0\];/ahead_q <= '0;/

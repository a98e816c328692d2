# slot_drain slot_drain.sv: outputs and input give up the same slots
# alone a_slots
s/rows_q\[0\] \? head_came : head_slots/head_slots/

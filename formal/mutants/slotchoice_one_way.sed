# slot_choice slot_choice.sv: every slot has the word of lane 0
# alone a_from
s/from_q\[out_q\] <= in_q;/from_q[out_q] <= lane0;/

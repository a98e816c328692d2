# slot_choice slot_choice.sv: the slots of the host are forgotten
# alone a_came
s/if \(first_i\) came_q\[lane\] <= 1'b1;/if (first_i) came_q[lane] <= 1'b0;/

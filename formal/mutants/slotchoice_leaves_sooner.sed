# slot_choice slot_choice.sv: a word may leave before it has come
# alone a_late
s/if \(slack_q > 0\) begin/if (1'b1) begin/

# slot_choice slot_choice.sv: every word waits a cycle more than it must
# alone a_soon
s/if \(slack_q > 0\) begin/if (slack_q > 1) begin/

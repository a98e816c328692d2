# message_effect message_effect.sv: a branch that ends is the last one
# alone a_ended
s/if \(all_ended\) effect_o/if (1'b1) effect_o/

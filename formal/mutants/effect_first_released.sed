# message_effect message_effect.sv: the first branch that confirms completes a release
# alone a_released
s/if \(confirmed_i\) effect_o/effect_o/

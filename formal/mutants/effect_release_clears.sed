# message_effect message_effect.sv: a release gives the slots up at once
# alone a_release
s/if \(kind_i == Release\) effect_o = Send;/if (kind_i == Release) effect_o = Clear;/

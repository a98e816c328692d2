# message_effect message_effect.sv: a teardown from the source is sent on, the slots are kept
# alone a_torn
s/else if \(teardown\) effect_o = Clear;/else if (teardown) effect_o = Send;/

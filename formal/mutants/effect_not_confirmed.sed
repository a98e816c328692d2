# message_effect message_effect.sv: no branch confirms a release
# alone a_confirms
s/confirms_o   = .*/confirms_o   = 1'b0;/

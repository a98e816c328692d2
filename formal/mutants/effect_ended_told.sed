# message_effect message_effect.sv: branches that have ended are sent to
# alone a_onward
s/ports_o = open;/ports_o = outs_i;/

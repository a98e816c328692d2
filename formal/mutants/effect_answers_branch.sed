# message_effect message_effect.sv: answers go back to their branch
# alone a_back
s/^    ports_o  = Ports'\(1\) << in_i;/    ports_o  = branch;/

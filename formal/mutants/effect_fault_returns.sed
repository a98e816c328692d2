# message_effect message_effect.sv: a failure is told to the branch behind which it is
# alone a_told
s/open \& ~branch;/open;/

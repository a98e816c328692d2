# command_sequencer command_sequencer.sv: an illegal instruction is told before it is decoded
# alone a_legal
s/\(state_q == Decode\) && rst_ni/((state_q == Decode) || (state_q == Fetch)) \&\& rst_ni/

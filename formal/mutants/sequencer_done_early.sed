# command_sequencer command_sequencer.sv: a done in the cycle of acceptance counts
# alone a_stable
s/\(running_q & ~done_i\) \| \(waiting_q & ready_i\)/(running_q | (waiting_q \& ready_i)) \& ~done_i/

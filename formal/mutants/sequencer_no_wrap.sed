# command_sequencer command_sequencer.sv: the ring does not close
# alone a_order
s/\(32'\(entry_q\) == Depth - 1\) \? '0 : //

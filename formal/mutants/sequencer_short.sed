# command_sequencer command_sequencer.sv: the elapsed time is one cycle short
# alone a_elapsed
s/ \+ TimeW'\(1\) : '0/ : '0/

# command_sequencer command_sequencer.sv: the elapsed time is one cycle short
s/ \+ TimeW'\(1\) : '0/ : '0/

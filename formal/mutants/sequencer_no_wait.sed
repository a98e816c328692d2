# command_sequencer command_sequencer.sv: the next instruction starts while units are running
# alone a_starts
s/ && \(running_d == '0\);/;/

# command_sequencer command_sequencer.sv: the next instruction starts while units are running
s/ && \(running_d == '0\);/;/

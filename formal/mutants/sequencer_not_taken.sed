# command_sequencer command_sequencer.sv: complete although a unit has not accepted it
s/ && \(waiting_d == '0\)//

# command_sequencer command_sequencer.sv: complete although a unit has not accepted it
# alone a_offered
s/ && \(waiting_d == '0\)//

# command_sequencer command_sequencer.sv: compute goes to no unit
# alone a_completed
s/units = 3'b100/units = 3'b000/

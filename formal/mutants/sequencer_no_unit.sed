# command_sequencer command_sequencer.sv: compute goes to no unit
s/units = 3'b100/units = 3'b000/

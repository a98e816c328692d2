# command_sequencer command_sequencer.sv: a fence goes to the switch too
# alone a_program
s/units = 3'b010/units = 3'b011/

# command_sequencer command_sequencer.sv: units get the fields of the instruction before
# alone a_program
s/\(state_q == Decode\) && !illegal_o\) instr_q/state_q == Fetch) instr_q/

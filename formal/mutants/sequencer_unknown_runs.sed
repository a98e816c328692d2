# command_sequencer command_sequencer.sv: opcodes that do not exist are executed
# alone a_illegal
s/ \|\| \(opcode > Compute\)//

# command_sequencer command_sequencer.sv: opcodes that do not exist are executed
s/ \|\| \(opcode > Compute\)//

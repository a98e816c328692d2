# command_sequencer command_sequencer.sv: an instruction survives a reset
s/^(\s*)waiting_q <= '0;/\1waiting_q <= waiting_q;/

# command_sequencer command_sequencer.sv: an illegal instruction does not stop it
s/count_q <= '0;\s*$/count_q <= handed_over;/

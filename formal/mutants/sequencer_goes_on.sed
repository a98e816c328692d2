# command_sequencer command_sequencer.sv: an illegal instruction does not stop it
# alone a_fetches
# alone a_asked
s/count_q <= '0;\s*$/count_q <= handed_over;/

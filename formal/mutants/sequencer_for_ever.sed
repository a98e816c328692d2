# command_sequencer command_sequencer.sv: a fetch does not use up what was handed over
# alone a_alive
s/handed_over - CountW'\(1\)/handed_over/

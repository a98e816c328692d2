# command_sequencer command_sequencer.sv: entries that were never written are executed
# alone a_illegal
s/!fetched_written_q \|\| //

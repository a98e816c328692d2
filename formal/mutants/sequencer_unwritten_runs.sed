# command_sequencer command_sequencer.sv: entries that were never written are executed
s/!fetched_written_q \|\| //

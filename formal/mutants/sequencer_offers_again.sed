# command_sequencer command_sequencer.sv: a unit that accepted is offered the instruction again
# alone a_apart
s/waiting_q & ~ready_i;/waiting_q \& ~done_i;/

# command_sequencer command_sequencer.sv: a stray done shows during reset
# alone a_reset
s/rst_ni \? done_i & ~running_q : '0/done_i \& ~running_q/

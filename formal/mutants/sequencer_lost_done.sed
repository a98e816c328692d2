# command_sequencer command_sequencer.sv: a done is lost while another unit is not ready: dead state
# alone a_stray
# alone a_live
s/running_q & ~done_i\)/running_q \& ~((waiting_d != '0) ? 3'b000 : done_i))/

# link_sync link_sync.sv: the receiver drops two cycles of a run
# alone a_received
s/link_active_i && previous_q && rst_ni/link_active_i \&\& previous_q \&\& !first_q \&\& rst_ni/

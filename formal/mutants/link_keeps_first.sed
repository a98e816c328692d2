# link_sync link_sync.sv: the receiver takes the first cycle of a run for a word
# alone a_all_words
# alone a_same
s/link_active_i && previous_q && rst_ni/link_active_i \&\& rst_ni/

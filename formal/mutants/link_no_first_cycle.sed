# link_sync link_sync.sv: no cycle to be dropped in front of the first word
# alone a_lane
# alone a_word
# alone a_notified
s/= full_q \|\| take \|\| notify/= full_q || notify/

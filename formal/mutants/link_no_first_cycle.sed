# link_sync link_sync.sv: no cycle to be dropped in front of the first word
s/= full_q \|\| take \|\| notify/= full_q || notify/

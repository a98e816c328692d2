# slot_table slot_table.sv: a request in the swap cycle is lost
# alone a_pending
s/swap_i \|\| \(pending_q && !swap_now\)/(swap_i || pending_q) \&\& !swap_now/

# drain_queue drain_queue.sv: an entry that has left stays valid
# alone a_valid
s/valid_q <= valid_q >> 1;/valid_q <= valid_q;/

# drain_queue drain_queue.sv: a queue with one entry is full
# alone a_full
s/full_o       = insert_i \&\& valid_q\[Depth-1\]/full_o       = insert_i \&\& valid_q[0]/

# drain_queue drain_queue.sv: a new entry is written over those behind it
# alone a_kept
s/data_q\[i\]  <= data_q\[\(i > 0\) \? i - 1 : 0\];/data_q[i]  <= data_i;/

# drain_queue drain_queue.sv: the data of an entry that has left stay at the head
# alone a_known
s/data_q\[i\]  <= data_q\[\(i \+ 1 < Depth\) \? i \+ 1 : i\];/data_q[i]  <= data_q[i];/

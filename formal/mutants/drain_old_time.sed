# drain_queue drain_queue.sv: the time of an entry that has left stays at the head
# alone a_until
s/until_q\[i\] <= until_q\[\(i \+ 1 < Depth\) \? i \+ 1 : i\];/until_q[i] <= until_q[i];/

# drain_queue drain_queue.sv: times before 0 are the latest
# alone a_order
s/\(\$signed\(until_q\[e\]\) <= \$signed\(until_i\)\)/(until_q[e] <= until_i)/

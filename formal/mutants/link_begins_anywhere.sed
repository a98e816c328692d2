# link_sync link_sync.sv: a run begins while the lane should rest
# alone a_ends
s/!full_q && \(rest_q == '0\)/!full_q/

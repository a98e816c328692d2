# link_sync link_sync.sv: a run begins while the lane should rest
s/!full_q && \(rest_q == '0\)/!full_q/

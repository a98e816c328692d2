# link_sync link_sync.sv: the receiver remembers the lane over a reset
s/previous_q <= 1'b0/previous_q <= link_active_i/

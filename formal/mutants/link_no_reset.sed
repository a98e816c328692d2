# link_sync link_sync.sv: the receiver remembers over a reset that a run has begun
# alone a_notify
s/first_q    <= 1'b0/first_q    <= link_active_i/

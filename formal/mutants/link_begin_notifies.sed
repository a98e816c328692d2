# link_sync link_sync.sv: the begin of a run is taken for a notification
# alone a_notify
s/notified_q <= !link_active_i && first_q/notified_q <= link_active_i \&\& !previous_q/

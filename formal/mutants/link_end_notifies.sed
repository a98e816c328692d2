# link_sync link_sync.sv: the end of a run of data is taken for a notification
# alone a_notify
s/!link_active_i && first_q/!link_active_i \&\& previous_q/

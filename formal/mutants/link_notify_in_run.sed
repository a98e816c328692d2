# link_sync link_sync.sv: a notification is put into a run of data
# alone a_alone
s/notify_ready_o = may_begin &&/notify_ready_o = (full_q || may_begin) \&\&/

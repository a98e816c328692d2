# link_sync link_sync.sv: a run of data without end keeps a notification waiting
# alone a_notify_waits
s/ && !\(tx_notify_i && !data_turn_q\)//

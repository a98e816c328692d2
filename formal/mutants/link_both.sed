# link_sync link_sync.sv: a notification and a word are taken in one cycle
# alone a_once
# alone a_all_notifications
s/may_begin && !\(data_turn_q && tx_valid_i\)/may_begin/

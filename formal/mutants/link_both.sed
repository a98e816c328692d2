# link_sync link_sync.sv: a notification and a word are taken in one cycle
s/may_begin && !\(data_turn_q && tx_valid_i\)/may_begin/

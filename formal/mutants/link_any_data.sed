# link_sync link_sync.sv: the receiver shows what is on the lane without a word
# alone a_data
s/receive \? link_data_i : '0/link_data_i/

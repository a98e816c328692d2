# link_sync link_sync.sv: a word is read from the pins one cycle after it was taken
# alone a_value
s/full_q && rst_ni \? word_q/full_q \&\& rst_ni ? tx_data_i/

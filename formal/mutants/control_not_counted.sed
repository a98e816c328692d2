# switch_control switch_control.sv: words that are received do not count
# alone a_taken
s/receive_left_q - link_words;/receive_left_q;/

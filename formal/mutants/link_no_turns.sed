# link_sync link_sync.sv: notifications without end keep words waiting
# alone a_word_waits
s/data_turn_q <= notify \|\| /data_turn_q <= /

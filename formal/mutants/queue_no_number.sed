# message_queue message_queue.sv: all words have number 0
# alone a_index
s/index_o     = index_q/index_o     = '0/

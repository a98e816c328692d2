# message_queue message_queue.sv: a message that meets an empty queue waits a cycle
# alone a_valid
s/valid_o     = stored \|\| msg_valid_i/valid_o     = stored/

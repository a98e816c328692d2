# message_queue message_queue.sv: the length of the newest message ends the oldest
# alone a_last
s/stored \? mem_q\[head_q\]/stored ? mem_q[tail_q]/

# message_queue message_queue.sv: a full queue takes messages
# alone a_ready
s/msg_ready_o = count_q != CountW'\(Messages\)/msg_ready_o = 1'b1/

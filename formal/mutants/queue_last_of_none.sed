# message_queue message_queue.sv: no word is a last one
# alone a_quiet
s/last_o      = valid_o \&\& /last_o      = /

# message_queue message_queue.sv: no word is a first one
# alone a_first
s/first_o     = valid_o \&\& /first_o     = /

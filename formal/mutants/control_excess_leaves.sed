# switch_control switch_control.sv: more words leave than are expected
# alone a_words
# alone a_joined
s/excess_o\[p\] \? StepW'\(send_left_q\) : read_words/read_words/

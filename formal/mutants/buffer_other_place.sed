# vc_buffer vc_buffer.sv: the place that is written next is read
# alone a_word
s/word_q\[read_q\]/word_q[write_q]/

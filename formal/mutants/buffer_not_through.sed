# vc_buffer vc_buffer.sv: a word that comes to an empty buffer is not there at once
# alone a_through
s/empty \? data_i : word_q\[read_q\]/word_q[read_q]/

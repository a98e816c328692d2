# vc_buffer vc_buffer.sv: a word that comes to an empty buffer is announced a cycle later
# alone a_valid
s/= !empty \|\| push_i/= !empty/

# drain_queue drain_queue.sv: the readout shows old data behind the first place
# alone a_shows_known
# alone a_shows_order
s/data_o       = data_q\[index_i\]/data_o       = (32'(index_i) == 1) ? data_q[Depth-1] : data_q[index_i]/

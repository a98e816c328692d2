# drain_queue drain_queue.sv: every place of the readout shows the first entry
# alone a_shows_once
s/data_o       = data_q\[index_i\]/data_o       = data_q[0]/

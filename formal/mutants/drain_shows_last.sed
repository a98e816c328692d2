# drain_queue drain_queue.sv: the readout shows the data of the last place
# alone a_shown
s/data_o       = data_q\[index_i\]/data_o       = data_q[Depth-1]/

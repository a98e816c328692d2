# drain_queue drain_queue.sv: the readout shows entries behind the last one
# alone a_readout
s/valid_o      = \(32.\(index_i\) < Depth\) \&\& valid_q\[index_i\]/valid_o      = valid_q[0]/

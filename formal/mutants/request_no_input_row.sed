# setup_request setup_request.sv: the row of the host's input is asked, not reserved
# alone a_takes
# alone a_granted
/first_word_q <= start_d;/,/state_q/s/\{outs_i, first_i\}/{outs_i, 1'b0}/

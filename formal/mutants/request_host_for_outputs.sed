# setup_request setup_request.sv: slots of the host's row limit those of the outputs
# alone a_vector
s/and_q  <= !\(update_i && rows_q\[0\]\);/and_q  <= 1'b1;/

# stripe_address stripe_address.sv: an error is no answer
# alone a_answers
s/rsp_valid_o      <= 1'b1/rsp_valid_o      <= fits/

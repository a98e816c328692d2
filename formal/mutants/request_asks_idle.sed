# setup_request setup_request.sv: a row is asked without a request
# alone a_quiet
s/lut_valid_o   = \(state_q == StQuery\)/lut_valid_o   = (state_q == StIdle) || (state_q == StQuery)/

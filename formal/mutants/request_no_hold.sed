# setup_request setup_request.sv: the source does not hold its first word back
# alone a_begin
s/start_b \+ hold_i/start_b/

# setup_request setup_request.sv: rows are counted, not taken from the set
# alone a_asks
s/assign rows_left = rows_q & \(rows_q - .*/assign rows_left = rows_q >> 1;/

# slot_lut slot_lut.sv: outputs follow the request pins while no request comes
# alone a_quiet
s/^      if \(req_valid_i\) begin$/      begin/

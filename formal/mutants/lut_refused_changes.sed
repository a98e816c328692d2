# slot_lut slot_lut.sv: a refused reserve still takes the slots
# alone a_and
s/req_valid_i && ok && \(req_op_i != OpQuery\)/req_valid_i \&\& row_ok \&\& (ok || (req_op_i == OpReserve)) \&\& (req_op_i != OpQuery)/

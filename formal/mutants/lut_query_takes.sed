# slot_lut slot_lut.sv: a query takes what it finds
# alone a_ok_query
# alone a_unchanged
s/ && ok && \(req_op_i != OpQuery\);/ \&\& ok;/
s/\(req_op_i == OpReserve\) \?/(req_op_i != OpRelease) ?/

# slot_lut slot_lut.sv: a query takes what it finds
s/ && ok && \(req_op_i != OpQuery\);/ \&\& ok;/
s/\(req_op_i == OpReserve\) \?/(req_op_i != OpRelease) ?/

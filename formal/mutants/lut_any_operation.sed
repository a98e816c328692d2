# slot_lut slot_lut.sv: the operation that does not exist is granted
# alone a_ok_none
s/default:   ok = 1'b0;/default:   ok = !none_free;/

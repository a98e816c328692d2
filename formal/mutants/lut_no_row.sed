# slot_lut slot_lut.sv: release of a row that does not exist is granted
# alone a_no_row
s/ && none_free && row_ok;/ \&\& none_free;/

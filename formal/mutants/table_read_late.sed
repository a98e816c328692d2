# slot_table slot_table.sv: the new bank is read one cycle late
# alone a_column
s/read_address   = \{bank,/read_address   = {bank_q,/

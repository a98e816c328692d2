# slot_table slot_table.sv: the new bank is read one cycle late
s/read_address   = \{bank,/read_address   = {bank_q,/

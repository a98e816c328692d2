# slot_table slot_table.sv: the new bank is read before the frame boundary
# alone a_column
s/read_address   = \{bank,/read_address   = {bank_q ^ pending_q,/

# slot_table slot_table.sv: the new bank is read before the frame boundary
s/read_address   = \{bank,/read_address   = {bank_q ^ pending_q,/

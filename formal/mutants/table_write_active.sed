# slot_table slot_table.sv: a write in the swap cycle goes to the table that becomes active
# alone a_undisturbed
s/\{!bank, cfg_slot_i\}/{!bank_q, cfg_slot_i}/

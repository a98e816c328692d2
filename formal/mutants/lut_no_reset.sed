# slot_lut slot_lut.sv: reset forgets no circuit
# alone a_free_bit
s/written_q   <= .0;/written_q   <= written_q;/

# slot_table slot_table.sv: the tables swap at any slot
# alone a_boundary
s/pending_q && \(slot_i == '0\)/pending_q/

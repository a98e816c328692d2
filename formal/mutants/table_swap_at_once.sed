# slot_table slot_table.sv: a request in slot 0 swaps in the same cycle
# alone a_swapped
s/= pending_q && \(slot/= (pending_q || swap_i) \&\& (slot/

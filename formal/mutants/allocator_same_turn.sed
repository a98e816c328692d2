# iq_allocator iq_allocator.sv: the positions of the resources stay
# alone a_first
s/else if \(winner != '0\) pointer_q/else if (1'b0) pointer_q/

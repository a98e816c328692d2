# iq_allocator iq_allocator.sv: positions move in all rounds
s/assign winner\[q\] = first_o/assign winner[q] = match_o/

# iq_allocator iq_allocator.sv: a resource is given in each round
# alone a_one_requester
s/unused_by_any\[r\] = taken == '0/unused_by_any[r] = 1'b1/

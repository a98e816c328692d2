# iq_allocator iq_allocator.sv: a requester with a match asks for more
# alone a_one_resource
s/single\[q\] \? \(/1'b1 ? (/

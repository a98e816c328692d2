# stripe_address stripe_address.sv: only the lowest bit of the stripe's number reaches the product
# alone a_address
# alone a_disjoint
s/AddrW'\(req_index_i\)/AddrW'(req_index_i[0])/

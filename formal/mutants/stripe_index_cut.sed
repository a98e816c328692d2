# stripe_address stripe_address.sv: the highest bit of the stripe's number is lost in the product
s/AddrW'\(req_index_i\)/AddrW'(req_index_i[IndexW-2:0])/

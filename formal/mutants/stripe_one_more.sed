# stripe_address stripe_address.sv: there is one stripe more
# alone a_memory
s/req_index_i\) >= Stripes/req_index_i) > Stripes/

# stripe_address stripe_address.sv: an error comes with an address
# alone a_quiet
s/fits \? address : '0/address/

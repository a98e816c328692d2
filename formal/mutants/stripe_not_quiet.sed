# stripe_address stripe_address.sv: an error comes with an address
s/fits \? address : '0/address/

# stripe_address stripe_address.sv: a piece of no bytes names an interface
s/fits && some/fits/

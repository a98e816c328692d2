# stripe_address stripe_address.sv: a piece of no bytes names an interface
# alone a_lower
# alone a_upper
s/fits && some/fits/

# stripe_address stripe_address.sv: pieces may end in the next stripe
# alone a_inside
s/!range && \(last > Stripe\)/!range \&\& (base > Stripe)/

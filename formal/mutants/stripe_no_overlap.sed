# stripe_address stripe_address.sv: pieces may end in the next stripe
s/!range && \(last > Stripe\)/!range \&\& (base > Stripe)/

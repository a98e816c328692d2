# stripe_address stripe_address.sv: a piece that fills its stripe is refused
# alone a_overlap
s/last > Stripe\)/last >= Stripe)/

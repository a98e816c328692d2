# stripe_address stripe_address.sv: a piece that fills its stripe is refused
s/last > Stripe\)/last >= Stripe)/

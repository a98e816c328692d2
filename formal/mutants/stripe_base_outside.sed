# stripe_address stripe_address.sv: Ra may be 2K
# alone a_range
s/base >= Stripe\)/base > Stripe)/

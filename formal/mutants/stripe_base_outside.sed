# stripe_address stripe_address.sv: Ra may be 2K
s/base >= Stripe\)/base > Stripe)/

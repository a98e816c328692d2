# stripe_address stripe_address.sv: a stripe of K bytes instead of 2K
s/SumW'\(Capacity\) << 1/SumW'(Capacity)/

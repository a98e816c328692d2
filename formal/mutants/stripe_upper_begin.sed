# stripe_address stripe_address.sv: a piece over both interfaces names the lower one only
s/last > Half/base >= Half/

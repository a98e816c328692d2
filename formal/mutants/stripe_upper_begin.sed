# stripe_address stripe_address.sv: a piece over both interfaces names the lower one only
# alone a_byte
s/last > Half/base >= Half/

# ib_arbiter ib_arbiter.sv: the limit of 255 is one
s/\(limit_i != 8'd255\) && //

# ib_arbiter ib_arbiter.sv: the limit must be passed
s/sent_d >= \{limit_i/sent_d > {limit_i/

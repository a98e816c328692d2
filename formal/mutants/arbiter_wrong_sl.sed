# ib_arbiter ib_arbiter.sv: the SL of the other table shows
# alone a_high_sl
# alone a_low_sl
s/high \? high_sl : low_sl/high ? low_sl : high_sl/

# ib_arbiter ib_arbiter.sv: low priority has no chance
# alone a_high_served
s/ && !\(expired_q && low_any\)//

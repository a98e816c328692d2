# ib_arbiter ib_arbiter.sv: low priority goes first
# alone a_low_served
s/!\(expired_q && low_any\)/!low_any/

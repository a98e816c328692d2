# ib_arbiter ib_arbiter.sv: a chance that was not used is not over
s/ \|\| \(decide && !low_any && expired_q\)//

# ib_arbiter ib_arbiter.sv: sizes of low priority count
s/\+ SumW'\(high_size\)/+ SumW'(low_size)/

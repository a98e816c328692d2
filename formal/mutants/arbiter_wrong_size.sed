# ib_arbiter ib_arbiter.sv: the size of the neighbour is charged
# alone a_size
s/high_size = sizes\[high_sl\*SizeW/high_size = sizes[low_sl*SizeW/

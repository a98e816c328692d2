# iq_router iq_router.sv: an output VC is free again after the head
# alone a_whole
s/\(\(sent & tail\) == '0\)/(sent == '0)/

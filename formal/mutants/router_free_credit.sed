# iq_router iq_router.sv: credits go back without a flit
# alone a_inside
s/assign credit = \{send\[p\*Vcs \+: Vcs\] != '0,/assign credit = {1'b1,/

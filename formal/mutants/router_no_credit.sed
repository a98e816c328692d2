# iq_router iq_router.sv: a flit is sent without a credit
# alone a_credit
s/assign has_credit\[Out\] = credit != '0;/assign has_credit[Out] = 1'b1;/

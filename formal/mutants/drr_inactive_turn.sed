# drr drr.sv: inactive SLs have turns
# alone a_active
s/candidate   = positive_q & active_i/candidate   = positive_q/

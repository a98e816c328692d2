# ib_arbiter ib_arbiter.sv: an SL shows without a grant
# alone a_quiet
s/!grant_o \? '0 : high/high/

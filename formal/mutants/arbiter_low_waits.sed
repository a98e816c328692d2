# ib_arbiter ib_arbiter.sv: a message of low priority is granted with one of high priority alone
# alone a_works
s/decide && \(high_any \|\| low_any\)/decide \&\& high_any/

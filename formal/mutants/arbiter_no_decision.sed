# ib_arbiter ib_arbiter.sv: grants that nobody asked for
# alone a_grant
s/= decide && \(high_any/= rst_ni \&\& (high_any/

# ib_arbiter ib_arbiter.sv: a reset leaves the chance
/if \(!rst_ni\)/,/end/ s/expired_q <= 1'b0;/expired_q <= expired_q;/

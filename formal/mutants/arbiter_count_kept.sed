# ib_arbiter ib_arbiter.sv: a message of low priority leaves the count
/low_serve \|\|/,/end/ s/sent_q    <= '0;/sent_q    <= sent_q;/

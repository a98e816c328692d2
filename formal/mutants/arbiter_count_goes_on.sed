# ib_arbiter ib_arbiter.sv: credits of before the chance count
s/expired_q \? '0 : sent_q/sent_q/

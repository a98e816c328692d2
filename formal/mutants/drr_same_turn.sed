# drr drr.sv: the SL whose turn ends begins the next
# alone a_grant_sl
s/<< turn_q << 1/<< turn_q/

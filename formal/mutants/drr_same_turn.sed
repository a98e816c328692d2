# drr drr.sv: the SL whose turn ends begins the next
s/<< turn_q << 1/<< turn_q/

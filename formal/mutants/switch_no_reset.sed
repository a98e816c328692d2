# tdm_switch tdm_switch.sv: the registers keep their words across reset
s/valid_q <= '0/valid_q <= valid_q/

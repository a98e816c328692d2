# tdm_switch tdm_switch.sv: an idle entry sends
# alone a_idle
s/= from_valid && gen_node/= gen_node/

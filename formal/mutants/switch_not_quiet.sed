# tdm_switch tdm_switch.sv: the word stays on the wires when there is nothing to send
# alone a_quiet
s/out_valid_o\[o\] \? gen_node\[1\]\.word : '0/gen_node[1].word/

# tdm_switch tdm_switch.sv: the neighbour of the named input is read
s/gen_input\[k-Leaves\]\.(mem_q|valid_q)/gen_input[(k-Leaves+1)%Ports].\1/

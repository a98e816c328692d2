# switch_control switch_control.sv: the node confirms to itself
# alone a_confirm
s/received_o \? receive_q & ~own_i : '0/received_o ? receive_q : '0/

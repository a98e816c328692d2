# switch_control switch_control.sv: words pass a gate that is shut
# alone a_shut
s/assign flowing    = open_o \? sending : '0;/assign flowing    = sending;/

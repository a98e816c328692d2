# switch_control switch_control.sv: the first reader passes instead of another one
# alone a_pass
s/Ports'\(1\) << reader_q/Ports'(1)/

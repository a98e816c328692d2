# switch_control switch_control.sv: words that nobody expects are not told
# alone a_too_many
s/\(taking\[p\] \? receive_left_q : '0\)/receive_left_q/

# switch_control switch_control.sv: everything is received when there was nothing to receive
# alone a_received_once
s/\(taking != '0\) && \(taken_o == '0\)/(taken_o == '0)/

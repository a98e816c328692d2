# switch_control switch_control.sv: everything is received only when everything is sent
# alone a_received
s/\(taking != '0\) && \(taken_o == '0\)/(taking != '0) \&\& ((joined_o | taken_o) == '0)/

# switch_control switch_control.sv: everything is sent only when everything is received
# alone a_sent
s/\(sending != '0\) && \(joined_o == '0\)/(sending != '0) \&\& ((joined_o | taken_o) == '0)/

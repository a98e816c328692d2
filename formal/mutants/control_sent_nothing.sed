# switch_control switch_control.sv: everything is sent when there was nothing to send
# alone a_sent_once
s/\(sending != '0\) && \(joined_o == '0\)/(joined_o == '0)/

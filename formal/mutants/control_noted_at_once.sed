# switch_control switch_control.sv: all notifications are there with the first one that is awaited
# alone a_noted
# alone a_noted_once
s/\(awaits != '0\) && \(awaited_o == '0\)/(awaits != '0)/

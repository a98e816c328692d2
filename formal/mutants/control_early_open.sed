# switch_control switch_control.sv: the gate opens although a receiver is not ready
# alone a_open
s/assign open_o     = active && \(unready_o == '0\);/assign open_o     = active \&\& ((unready_o \& (unready_o - Ports'(1))) == '0);/

# iq_switch iq_switch.sv: nobody asks for the last output port
# alone a_busy
s/= wants != '0;/= (wants != '0) \&\& (o != Ports - 1);/

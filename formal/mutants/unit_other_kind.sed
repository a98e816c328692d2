# setup_unit setup_unit.sv: a release instead of the ACK
# alone a_kinds
s/kind_q  <= Ack;/kind_q  <= 3'd4;/

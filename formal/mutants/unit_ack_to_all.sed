# setup_unit setup_unit.sv: the ACK goes to all ports
# alone a_once
s/todo_q  <= Ports'\(1\) << in_q;/todo_q  <= '1;/

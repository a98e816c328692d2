# setup_unit setup_unit.sv: the request does not go on
# alone a_answer
s/todo_q  <= outs_q;/todo_q  <= '0;/

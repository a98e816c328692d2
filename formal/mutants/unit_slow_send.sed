# setup_unit setup_unit.sv: a message keeps the unit busy for a cycle more
# alone a_cycles
# alone a_short
s/if \(todo_left == '0\) state_q <= then_q/if (todo_q == '0) state_q <= then_q/

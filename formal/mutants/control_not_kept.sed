# switch_control switch_control.sv: a notification that comes before its instruction is forgotten
# alone a_awaited
# alone a_unready
# alone a_lost
s/early_q <= come - used;/early_q <= '0;/

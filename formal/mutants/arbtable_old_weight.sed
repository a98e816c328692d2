# arbitration_table arbitration_table.sv: a turn begins with what is left of the one before
s/live \? left_q : weight_q\[next_entry\]/left_q/

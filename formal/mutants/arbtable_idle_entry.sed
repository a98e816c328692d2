# arbitration_table arbitration_table.sv: entries of inactive SLs are candidates
# alone a_any
s/positive_q\[e\] && active\[sl_q\[e\]\]/positive_q[e]/

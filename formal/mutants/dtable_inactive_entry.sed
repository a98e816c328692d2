# dtable dtable.sv: entries of inactive SLs are selected
# alone a_active
s/positive_q\[e\] && active\[sl_q\[e\]\]/positive_q[e]/

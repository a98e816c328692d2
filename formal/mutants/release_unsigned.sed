# release_table release_table.sv: times before 0 are the latest
# alone a_cleared
s/\$signed\(cleared_q\[at\]\) > \$signed\(cleared_i\)/cleared_q[at] > cleared_i/

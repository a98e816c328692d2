# dtable dtable.sv: an SL that becomes inactive keeps its deficit
# alone a_forgotten
s/!rst_ni \|\| !keep\[s\] \|\|/!rst_ni ||/

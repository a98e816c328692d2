# dtable dtable.sv: an SL that becomes inactive keeps its deficit
s/!rst_ni \|\| !keep\[s\] \|\|/!rst_ni ||/

# dtable dtable.sv: an SL that is inactive at a decision keeps its deficit
# alone a_forgotten
s/!rst_ni \|\| \(decide && !active_i\[s\]\) \|\|/!rst_ni ||/

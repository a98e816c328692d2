# drr drr.sv: an SL that is inactive at a decision keeps its counter
# alone a_forgotten
s/!rst_ni \|\| \(decide && !active_i\[s\]\)/!rst_ni/

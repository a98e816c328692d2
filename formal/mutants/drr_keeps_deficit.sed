# drr drr.sv: an SL that becomes inactive keeps its counter
# alone a_forgotten
s/\(!rst_ni \|\| !keep\[s\]\)/(!rst_ni)/

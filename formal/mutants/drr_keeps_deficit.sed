# drr drr.sv: an SL that becomes inactive keeps its counter
s/\(!rst_ni \|\| !keep\[s\]\)/(!rst_ni)/

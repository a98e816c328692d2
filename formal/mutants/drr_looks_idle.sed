# drr drr.sv: an SL that is inactive while a message leaves loses its counter
s/\(decide && !active_i\[s\]\)/!active_i[s]/

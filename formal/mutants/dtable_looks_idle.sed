# dtable dtable.sv: an SL that is inactive while a message leaves loses its deficit
s/\(decide && !active_i\[s\]\)/!active_i[s]/

# drr drr.sv: a new turn sends whatever its quantum
# alone a_covered
s/found && next_covers/found/

# drr drr.sv: a new turn sends whatever its quantum
s/found && next_covers/found/

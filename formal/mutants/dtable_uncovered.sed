# dtable dtable.sv: a new entry sends whatever its weight
s/found && next_covers/found/

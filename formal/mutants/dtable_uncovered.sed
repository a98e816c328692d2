# dtable dtable.sv: a new entry sends whatever its weight
# alone a_covered
s/found && next_covers/found/

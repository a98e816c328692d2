# setup_unit setup_unit.sv: the slots of a circuit that a failure took are never given back
# alone a_kept
s/ \|\| \(told && told_all\);/;/

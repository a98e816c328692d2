# release_table release_table.sv: a confirmation of other slots counts
s/ \&\& \(slots_q\[e\] == slots_i\)//

# release_table release_table.sv: a release forgets the branches that have confirmed it
# alone a_all
s/confirmed = hit \? \(confirmed_q\[at\] \| branch_i\) : branch_i;/confirmed = branch_i;/

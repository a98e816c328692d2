# release_table release_table.sv: a full table is full without a confirmation
# alone a_full
s/full_o    = confirm_i \&\& /full_o    = /

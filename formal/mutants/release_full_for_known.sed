# release_table release_table.sv: a full table takes no confirmation of a release that it has
# alone a_kept
s/!all_o \&\& !hit \&\& !room/!all_o \&\& !room/

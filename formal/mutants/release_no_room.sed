# release_table release_table.sv: an empty table is full
# alone a_room
s/room = 1'b1;/room = 1'b0;/

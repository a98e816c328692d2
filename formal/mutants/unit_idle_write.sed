# setup_unit setup_unit.sv: the table is written while the unit is ready
# alone a_quiet
s/tbl_valid_o = ask_table/tbl_valid_o = cmd_ready_o || ask_table/

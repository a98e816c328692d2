# arbitration_table arbitration_table.sv: the search begins at the entry that had its turn
# alone a_sl
s/FromW'\(entry_q\) \+ FromW'\(1\)/FromW'(entry_q)/

# arbitration_table arbitration_table.sv: the first search begins at entry 1
s/EntryW'\(NumEntries - 1\)/'0/

# host_interface host_interface.sv: an entry that is not valid sends
# alone a_idle
s/column_out\[l\*EntryW \+: EntryW\] == \{1'b1, CircuitW'\(c\)\}/column_out[l*EntryW +: CircuitW] == CircuitW'(c)/

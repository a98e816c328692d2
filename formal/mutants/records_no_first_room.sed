# circuit_records circuit_records.sv: record 0 is never free
# alone a_room
s/if \(!valid_q\[r\]\)/if (!valid_q[r] \&\& (r != 0))/

# circuit_records circuit_records.sv: the record of a lost circuit is free
# alone a_room_at
s/if \(!valid_q\[r\]\)/if (!valid_q[r] || lost_q[r])/

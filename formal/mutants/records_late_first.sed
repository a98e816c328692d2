# circuit_records circuit_records.sv: late tells before taken
# alone a_tells
s/cause == Late\) rank = 2'd1/cause == Late) rank = 2'd2/
s/cause == NoSlots\) rank = 2'd2/cause == NoSlots) rank = 2'd1/

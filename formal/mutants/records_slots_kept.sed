# circuit_records circuit_records.sv: slots that are given up stay in the record
# alone a_slots
s/slots_o \& ~slots_i/slots_o/

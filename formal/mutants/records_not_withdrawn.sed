# circuit_records circuit_records.sv: a withdrawal is forgotten
# alone a_withdraws
s/if \(withdraw_i\) withdraw_q.*$//

# setup_unit setup_unit.sv: a confirmation counts again when the circuit is forgotten
# alone a_confirms
s/\(state_q == StAct\) && branch_confirms;/branch_confirms;/

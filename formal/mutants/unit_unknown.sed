# setup_unit setup_unit.sv: a message about an unknown circuit has an effect
# alone a_record
s/hit \? StAct : StIdle/StAct/

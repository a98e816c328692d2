# setup_unit setup_unit.sv: every message counts as that of a failure
# alone a_notice
s/failing_q && snd_valid_o/snd_valid_o/

# slot_drain slot_drain.sv: failed ports are done without a release
# alone a_quiet
s/assign done_o      = pop .*/assign done_o      = head_valid_o ? head_failed : '0;/

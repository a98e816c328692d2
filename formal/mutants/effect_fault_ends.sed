# message_effect message_effect.sv: a failure behind a branch ends it
# alone a_ends
# alone a_fault
s/teardown \&\& !forward_i \&\& !fault_i/teardown \&\& !forward_i/

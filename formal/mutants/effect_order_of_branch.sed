# message_effect message_effect.sv: a branch withdraws the circuit
# alone a_order
s/\(from_i == in_i\) \&\& \(\(kind_i == Withdraw\) \|\| /((kind_i == Withdraw) || (from_i == in_i)) \&\& ((kind_i == Withdraw) || /

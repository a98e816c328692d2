# message_effect message_effect.sv: a teardown from any port tears down the circuit
# alone a_stranger
s/from_source  = \(from_i == in_i\) \&\& /from_source  = /

# iq_switch round_robin.sv: everybody is granted
# alone a_one_input
s/first_from & \(~first_from \+ Requests'\(1\)\)/first_from/

# arbitration_table round_robin.sv: several grants
s/first_from & \(~first_from \+ Requests'\(1\)\)/first_from/

# shared_space shared_space.sv: minima are not guaranteed
# alone a_own
s/over \? '0 : \(minimum - kept\)/'0/

# shared_space shared_space.sv: maxima do not limit
# alone a_maximum
s/\(below_shared < \(CountW\+1\)'\(below_maximum\)\) \? CountW'\(below_shared\) : below_maximum/CountW'(below_shared)/

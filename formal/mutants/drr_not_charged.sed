# drr drr.sv: a message costs nothing
# alone a_grant
s/available - \(grant_o \? CountW'\(size\) : '0\)/available/

# dtable dtable.sv: a message costs nothing
s/available - \(grant_o \? CountW'\(size\) : '0\)/available/

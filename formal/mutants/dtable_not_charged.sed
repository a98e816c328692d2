# dtable dtable.sv: a message costs nothing
# alone a_share: NumSl=3 NumEntries=4 WeightW=2 SizeW=2 CountW=3 +FORMAL_ROUNDS
s/available - \(grant_o \? CountW'\(size\) : '0\)/available/

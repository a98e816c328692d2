# dtable dtable.sv: what is left is not kept
# alone a_share: NumSl=3 NumEntries=4 WeightW=2 SizeW=2 CountW=3 +FORMAL_ROUNDS
# alone a_wait: NumSl=2 NumEntries=2 WeightW=1 SizeW=2 CountW=3 +FORMAL_WAIT
s/decide && live && !covers && /1'b0 \&\& /

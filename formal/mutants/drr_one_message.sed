# drr drr.sv: a turn ends with its first message
# alone a_never_full: NumSl=3 WeightW=2 SizeW=2 CountW=3
s/covers       = live &&/covers       = 1'b0 \&\&/

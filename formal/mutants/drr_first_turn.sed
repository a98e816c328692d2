# drr drr.sv: the first search begins at SL 1
s/SlW'\(NumSl - 1\);/'0;/

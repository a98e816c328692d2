# drr drr.sv: a message is charged with another size than its own
s/'\(size_i\);/'(size_i | {NumSl{SizeW'(1)}});/

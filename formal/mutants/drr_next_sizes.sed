# drr drr.sv: an SL is charged with the size of the next one's message
# alone a_covered
s/'\(size_i\);/'(size_i >> SizeW);/

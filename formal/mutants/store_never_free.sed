# flit_store flit_store.sv: places are not free again
# alone a_place
s/ & ~\(take \? \(Depth'\(1\) << head_place\) : '0\)//

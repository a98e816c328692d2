# link_sync link_sync.sv: the counter of the rest is too narrow for a gap that is a power of two
# alone a_carries: Width=2 Gap=2 +FORMAL_LINK
s/\$clog2\(Gap \+ 1\)/(Gap > 1) ? $clog2(Gap) : 1/

# link_sync link_sync.sv: the rest between two runs is one cycle short
# alone a_gap: Width=2 Gap=2 +FORMAL_LINK
s/rest_q <= RestW'\(Gap\)/rest_q <= RestW'(Gap - 1)/

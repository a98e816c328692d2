# egress_port egress_port.sv: room for one flit is taken as enough
# alone a_room
s/\(WideW'\(head_size\[v\*SizeW \+: SizeW\]\) <= WideW'\(credits_o\[v\*NextW \+: NextW\]\)\)/(credits_o[v*NextW +: NextW] != '0)/

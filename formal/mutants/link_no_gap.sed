# link_sync link_sync.sv: two runs follow each other without a rest
# alone a_carries
s/rest_q <= RestW'\(Gap\)/rest_q <= '0/

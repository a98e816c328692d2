# link_sync link_sync.sv: reset leaves the counter of the rest alone
# alone a_begins
s/rest_q      <= '0;/rest_q      <= rest_q;/

# setup_unit setup_unit.sv: the answer of a branch counts for all ports
# alone a_branch
s/ends_host \? hosts_open : branch;/ends_host ? hosts_open : '1;/

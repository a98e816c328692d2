# host_interface host_interface.sv: the count of words goes on behind the mark
s/ends \? '0 : next/next/

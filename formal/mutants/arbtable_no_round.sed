# arbitration_table round_robin.sv: the choice ends at the last request
s/\(beyond != '0\) \? beyond : request_i/beyond/

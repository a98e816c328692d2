# egress_port egress_port.sv: a decision a cycle too early
# alone a_together: Scheduler=1 NumSl=2 NumVl=2 NumEntries=1 WeightW=2 SizeW=2 CountW=2 Depth=3 NextDepth=3 Rate=1 Output=1 Width=1
s/busy_q <= grant_size - SizeW'\(1\);/busy_q <= (grant_size > SizeW'(2)) ? grant_size - SizeW'(2) : '0;/

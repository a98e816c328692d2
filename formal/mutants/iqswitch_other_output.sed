# iq_switch iq_switch.sv: a VC sends for the output port of another one
# alone a_crosses
s/\(\(to_i\[\(p\*Vcs \+ v\)\*Ports \+: Ports\] & passes\) != '0\)/(passes != '0)/

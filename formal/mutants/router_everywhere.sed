# iq_router iq_router.sv: a flit leaves by all outputs
# alone a_once
s/if \(passes\[p\*Ports \+ o\] && send/if (send/

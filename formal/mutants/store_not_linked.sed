# flit_store flit_store.sv: flits are not appended
s/if \(comes\[0\] && push_holds\) next_q/if (1'b0) next_q/

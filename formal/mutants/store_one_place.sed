# flit_store flit_store.sv: two flits take the same place
s/free      = free & \(free - Depth'\(1\)\)/free      = free/

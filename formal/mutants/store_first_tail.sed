# flit_store flit_store.sv: the first of the flits that come is the end of the queue
s/tail_q <= last_place/tail_q <= first_place/

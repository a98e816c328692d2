# flit_store flit_store.sv: a flit that comes while the last one is read is lost
# alone a_flit
s/count_q != CountW'\(pop\)/count_q != '0/

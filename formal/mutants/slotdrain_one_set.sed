# slot_drain slot_drain.sv: one set of slots is released and no more
# alone a_all
s/if \(pop\) state_q <= StLook;/if (pop) state_q <= StIdle;/

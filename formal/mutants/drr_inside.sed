# drr drr.sv: an SL that becomes active inside a cycle keeps its counter
s/active_i & still_active_i/still_active_i/

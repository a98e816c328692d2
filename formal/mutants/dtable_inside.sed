# dtable dtable.sv: an SL that becomes active inside a cycle keeps what it had before
s/active_i & still_active_i/still_active_i/

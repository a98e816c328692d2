# dtable dtable.sv: an SL that its last message left inactive is not seen
s/active_i & still_active_i/active_i/

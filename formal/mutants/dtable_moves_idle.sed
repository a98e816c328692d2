# dtable dtable.sv: entries are passed over without a decision
# alone a_place_stays
s/assign move        = decide &&/assign move        = rst_ni \&\&/

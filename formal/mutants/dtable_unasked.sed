# dtable dtable.sv: grants without being asked
# alone a_decides
# alone a_idle
s/assign grant_o     = decide &&/assign grant_o     = rst_ni \&\&/

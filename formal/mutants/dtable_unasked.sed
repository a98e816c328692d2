# dtable dtable.sv: grants without being asked
s/assign grant_o     = decide &&/assign grant_o     = rst_ni \&\&/

# dtable dtable.sv: the selected entry is selected again before those after it
# alone a_grant_sl
s/<< entry_q << 1/<< entry_q/

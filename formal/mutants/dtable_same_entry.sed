# dtable dtable.sv: the selected entry is selected again before those after it
s/<< entry_q << 1/<< entry_q/

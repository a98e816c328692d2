# dtable dtable.sv: SL 0 is never seen active
s/LevelW'\(active_i\);/LevelW'(active_i) \& ~LevelW'(1);/

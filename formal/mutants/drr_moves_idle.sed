# drr drr.sv: turns begin without a decision
# alone a_place_stays
s/\(decide && !covers && found\) \? next_sl/(!covers \&\& found) ? next_sl/

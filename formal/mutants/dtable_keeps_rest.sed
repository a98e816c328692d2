# dtable dtable.sv: accumulated weight stays when its SL is inactive at a decision
# alone a_nothing_left
s/selected_d \? accumulated_d : '0/accumulated_d/

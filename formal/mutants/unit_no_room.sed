# setup_unit setup_unit.sv: a request is taken although there is no room
# alone a_new
s/\(!room \|\| \(down/((down/

# shared_space shared_space.sv: places are never given back
# alone a_room
s/used_q - give_i\[v\*CountW \+: CountW\]/used_q/

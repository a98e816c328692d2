# shared_space shared_space.sv: what is taken does not count
s/used_q <= kept \+ take_i\[v\*CountW \+: CountW\]/used_q <= kept/

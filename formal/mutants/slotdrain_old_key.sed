# slot_drain slot_drain.sv: the circuit's number is kept inverted
# alone a_known
s/data_i\(\{key_i, /data_i({~key_i, /

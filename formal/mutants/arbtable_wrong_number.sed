# arbitration_table onehot_index.sv: numbers are inverted
s/\(onehot_i & IndexMask\) != '0/(onehot_i \& IndexMask) == '0/

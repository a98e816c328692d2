# arbitration_table arbitration_table.sv: a message larger than what is left is not charged
s/WeightW'\(size_i\) : '0/WeightW'(size_i) : available/

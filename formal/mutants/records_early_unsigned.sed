# circuit_records circuit_records.sv: lateness below 0 is the latest
# alone a_late
s/\$signed\(late_i\) > \$signed\(late_o\)/late_i > late_o/

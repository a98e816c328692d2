# arbitration_table arbitration_table.sv: turns end without a message
# alone a_turn_stays
s/else if \(serve_i\) begin/else if (any_o) begin/

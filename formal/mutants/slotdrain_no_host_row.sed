# slot_drain slot_drain.sv: the row of the host's input is not released
# alone a_rows
s/rows_q  <= \{head_outs, head_first\};/rows_q  <= {head_outs, 1'b0};/

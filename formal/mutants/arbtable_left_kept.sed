# arbitration_table arbitration_table.sv: a reset leaves the rest of a turn
/left_q    <= '0;/d

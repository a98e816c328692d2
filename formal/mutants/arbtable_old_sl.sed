# arbitration_table arbitration_table.sv: a turn keeps the SL of the one before
/turn_sl_q <= sl_o;/d

# arbitration_table arbitration_table.sv: a turn goes on although its SL is inactive
# alone a_active
s/ && active\[turn_sl_q\]//

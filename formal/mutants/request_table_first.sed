# setup_request setup_request.sv: the table is asked before the slots are chosen
# alone a_table
s/tbl_ask_o     = state_q == StAsk/tbl_ask_o     = (state_q == StAsk) || (state_q == StQuery)/

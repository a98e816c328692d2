# setup_unit setup_unit.sv: a circuit is withdrawn when it is installed
# alone a_one_strobe
s/withdraws       = state_q == StWithdraw/withdraws = (state_q == StWithdraw) || (state_q == StInstall)/

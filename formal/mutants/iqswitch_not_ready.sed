# iq_switch iq_switch.sv: VCs that are not ready ask
# alone a_ready
s/assign asking = ready;/assign asking = '1;/

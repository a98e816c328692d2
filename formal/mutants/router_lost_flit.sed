# iq_router iq_router.sv: flits are not seen at the output
# alone a_seen
s/flit_valid = 1'b1;/flit_valid = 1'b0;/

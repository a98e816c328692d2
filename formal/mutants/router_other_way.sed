# iq_router iq_input_vc.sv: the flits behind the head forget the output VC
# alone a_way
s/if \(matched\) out_q <= matched_out;/out_q <= matched_out;/

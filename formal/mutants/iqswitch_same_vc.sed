# iq_switch iq_switch.sv: the VC pointer stays
# alone a_turn
s/else vc_pointer_q <= vc_pointer_d/else vc_pointer_q <= vc_pointer_q/

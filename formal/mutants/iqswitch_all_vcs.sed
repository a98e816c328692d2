# iq_switch iq_switch.sv: all VCs of an input port send that could
# alone a_one_vc
s/= send;$/= send | eligible;/

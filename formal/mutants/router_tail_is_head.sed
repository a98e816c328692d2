# iq_router iq_router.sv: the tail is marked as head
# alone a_head
s/flit_head \| head\[p\*Vcs \+ v\]/flit_head | tail[p*Vcs + v]/

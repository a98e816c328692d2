# iq_router hop_choice.sv: a head requests any port
# alone a_hop
s/request_i && hop\[p\] && /request_i \&\& /

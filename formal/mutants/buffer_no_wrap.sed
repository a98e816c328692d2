# vc_buffer vc_buffer.sv: the places do not go round
s/\(write_q == PlaceW'\(Depth - 1\)\) \? '0 : //

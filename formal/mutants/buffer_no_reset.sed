# vc_buffer vc_buffer.sv: a reset leaves the words inside
s/count_q <= '0;/count_q <= count_q;/

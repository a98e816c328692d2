# slot_lut slot_lut.sv: a request that is refused gets no answer
# alone a_latency
s/rsp_valid_o <= req_valid_i;/rsp_valid_o <= req_valid_i \&\& ok;/

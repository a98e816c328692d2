# setup_unit setup_unit.sv: the outputs of a request change while it is worked on
# alone a_request
s/record_q <= room_at;/record_q <= room_at; outs_q <= usable_i;/

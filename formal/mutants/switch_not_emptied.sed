# tdm_switch tdm_switch.sv: an idle input does not empty its register
# alone a_complete
s/else         valid_q\[label\] <= in_valid_i\[i\];/else if (in_valid_i[i]) valid_q[label] <= 1'b1;/

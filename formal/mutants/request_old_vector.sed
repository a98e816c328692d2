# setup_request setup_request.sv: the vector of free slots is the one that the request brought
# alone a_free
s/update_i \? common_i : lut_free_i;/common_i;/

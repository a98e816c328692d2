# setup_request setup_request.sv: outputs and input are given the same slots
# alone a_taken
s/rows_q\[0\] \? came_o : slots_o/slots_o/

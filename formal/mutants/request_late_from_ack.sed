# setup_request setup_request.sv: how late it is counts from the ACK
# alone a_late_by
s/late_by_o     = late_by/late_by_o     = force_at - ack_at_i/

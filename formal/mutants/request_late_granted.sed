# setup_request setup_request.sv: a late request is refused after its slots are reserved
# alone a_refused
s/late \? StIdle : StReserve/StReserve/;s/\(state_q == StTime\) \&\& \(/(state_q == StReserve) \&\& (/

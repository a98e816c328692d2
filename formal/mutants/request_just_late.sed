# setup_request setup_request.sv: an entry that comes in time is late
# alone a_late
s/\(\$signed\(late_by\) > 0\)/(\$signed(late_by) >= 0)/

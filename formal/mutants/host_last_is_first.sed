# host_interface host_interface.sv: last words leave as first ones
# alone a_first
s/first \| head_first\[c\]/first | head_last[c]/

# host_interface host_interface.sv: words that arrive are named after the circuit that leaves
# alone a_receiver
s/takes \? column_in\[/takes ? column_out[/

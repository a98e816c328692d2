# host_interface host_interface.sv: words that leave are named after the circuit that arrives
# alone a_whose
s/sends \? column_out\[/sends ? column_in[/

# Constraints to begin with, for any of the blocks alone: one clock, synchronous reset, a quarter of the cycle outside at
# every pin. The period is that of a FiC switch (100 MHz); OPTWEB nodes run at 200 MHz (5.0).
set period 10.0
create_clock -name clk -period $period [get_ports clk_i]
set_clock_uncertainty 0.2 [get_clocks clk]
set inputs [remove_from_collection [all_inputs] [get_ports clk_i]]
set_input_delay  [expr 0.25 * $period] -clock clk $inputs
set_output_delay [expr 0.25 * $period] -clock clk [all_outputs]

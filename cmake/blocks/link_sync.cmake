# Data-active signal of an OPTWEB link's end (rtl/optweb/link_sync.sv); words are 64 bits wide.
set(weft_needs Gap)
set(weft_module link_sync)
set(weft_rtl optweb/link_sync)
set(weft_fixed Width=64)
if(NOT weft_complete)
  return()
endif()
set(weft_pins in:clk_i:1 in:rst_ni:1 in:tx_notify_i:1 out:tx_notify_ready_o:1 in:tx_valid_i:1 in:tx_data_i:64
    out:tx_ready_o:1 out:link_active_o:1 out:link_data_o:64 in:link_active_i:1 in:link_data_i:64 out:rx_notify_o:1
    out:rx_valid_o:1 out:rx_data_o:64)
set(weft_header cosim/optweb/verilated_optweb.h)
set(weft_member optweb.link_sync)
set(weft_maker "optweb::verilated_link_sync<V${name}, ${Gap}>")

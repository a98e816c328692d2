# Data path of a FiC switch with its slot table (rtl/tdm/tdm_switch.sv); words are 64 bits wide.
set(weft_needs Ports Slots)
set(weft_module tdm_switch)
set(weft_rtl tdm/tdm_switch tdm/slot_table)
set(weft_fixed Width=64)
if(NOT weft_complete)
  return()
endif()
weft_clog2(SlotW "${Slots}")
weft_clog2(PortW "${Ports}")
math(EXPR column "${Ports} * (1 + ${PortW} + ${SlotW})")
math(EXPR words "${Ports} * 64")
math(EXPR labels "${Ports} * ${SlotW}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:slot_i:${SlotW} in:in_valid_i:${Ports} in:in_word_i:${words}
    in:in_slot_i:${labels} out:out_valid_o:${Ports} out:out_word_o:${words} in:cfg_we_i:1 in:cfg_slot_i:${SlotW}
    in:cfg_column_i:${column} in:swap_i:1 out:swap_pending_o:1)
set(weft_header cosim/tdm/verilated_tdm_switch.h)
set(weft_member tdm.data_path)
set(weft_maker "verilated_tdm_switch<V${name}, ${Ports}, ${Slots}>")

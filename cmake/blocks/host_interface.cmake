# Interface of the hosts of a FiC network (rtl/tdm/host_interface.sv); indices have 32 bits, words 64.
set(weft_needs Links Slots Circuits)
set(weft_module host_interface)
set(weft_rtl tdm/host_interface tdm/message_queue tdm/slot_table)
set(weft_fixed Messages=2 SizeW=32 Width=64)
if(NOT weft_complete)
  return()
endif()
weft_clog2(LinkW "${Links}")
weft_clog2(SlotW "${Slots}")
math(EXPR CircuitW "${LinkW} + ${SlotW}")
math(EXPR sizes "${Circuits} * 32")
math(EXPR numbers "${Links} * ${CircuitW}")
math(EXPR indices "${Links} * 32")
math(EXPR words "${Links} * 64")
math(EXPR column "${Links} * (1 + ${CircuitW})")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:slot_i:${SlotW} in:msg_valid_i:${Circuits} in:msg_last_i:${sizes}
    out:msg_ready_o:${Circuits} out:out_valid_o:${Links} out:out_circuit_o:${numbers} out:out_index_o:${indices}
    out:out_first_o:${Links} out:out_last_o:${Links} in:data_i:${words} out:out_word_o:${words} in:in_slot_i:${SlotW}
    in:in_valid_i:${Links} in:in_last_i:${Links} in:in_word_i:${words} out:rx_valid_o:${Links}
    out:rx_circuit_o:${numbers} out:rx_index_o:${indices} out:rx_first_o:${Links} out:rx_last_o:${Links}
    out:rx_word_o:${words} out:rx_stray_o:${Links} in:cfg_we_i:1 in:cfg_slot_i:${SlotW} in:cfg_out_i:${column}
    in:cfg_in_i:${column} in:swap_i:1 out:swap_pending_o:1 out:swapped_o:1 out:in_swapped_o:1)
set(weft_header cosim/tdm/verilated_host_interface.h)
set(weft_member tdm.host_interface)
set(weft_maker "verilated_host_interface<V${name}, ${Links}, ${Slots}, ${Circuits}>")

# Input-queued router (rtl/packet/iq_router.sv). Of BufferWrite, SwitchAllocation, Crossbar and Credit the network adds
# what the block lacks.
set(weft_needs Ports Vcs Trunk Width Buffer BufferWrite Routing VcAllocation SwitchAllocation Crossbar Credit Islip Iterations
    WhenEmpty)
set(weft_may_be_0 BufferWrite Routing VcAllocation SwitchAllocation Crossbar Credit Islip WhenEmpty)
set(weft_module iq_router)
set(weft_rtl packet/round_robin packet/delay_line packet/stage_timer packet/vc_buffer packet/iq_allocator packet/hop_choice
    packet/iq_input_vc packet/iq_switch packet/iq_router common/onehot_index)
if(NOT weft_complete)
  return()
endif()
if(Width LESS 32)
  message(FATAL_ERROR "${here}: a router in a network needs flits of at least 32 bits (Width)")
endif()
if(Ports LESS 2 OR Ports GREATER 16 OR Vcs LESS 1 OR Vcs GREATER 16)
  message(FATAL_ERROR "${here}: a router has 2 to 16 ports (Ports) and 1 to 16 VCs (Vcs)")
endif()
weft_clog2(PortW "${Ports}")
weft_clog2(VcW "${Vcs}")
math(EXPR counts "${Trunk} + 1")
weft_clog2(CountW "${counts}")
foreach(bits VcW Width PortW CountW Vcs)
  math(EXPR all_${bits} "${Ports} * ${${bits}}")
endforeach()
set(weft_pins in:clk_i:1 in:rst_ni:1 in:flit_valid_i:${Ports} in:flit_vc_i:${all_VcW} in:flit_head_i:${Ports}
    in:flit_tail_i:${Ports} in:flit_data_i:${all_Width} in:hop_first_i:${all_PortW} in:hop_count_i:${all_CountW}
    in:hop_vcs_i:${all_Vcs} out:credit_valid_o:${Ports} out:credit_vc_o:${all_VcW} out:flit_valid_o:${Ports}
    out:flit_vc_o:${all_VcW} out:flit_head_o:${Ports} out:flit_tail_o:${Ports} out:flit_data_o:${all_Width}
    in:credit_valid_i:${Ports} in:credit_vc_i:${all_VcW})
set(weft_header cosim/packet/verilated_iq_router.h)
set(weft_member packet.iq_router)
set(size "${Ports}, ${Vcs}, ${Trunk}, ${Width}, ${Buffer}, ${BufferWrite}, ${Routing}, ${VcAllocation}, ${SwitchAllocation}")
string(APPEND size ", ${Crossbar}, ${Credit}, ${Islip}, ${Iterations}, ${WhenEmpty}")
set(weft_maker "verilated_iq_router<V${name}, weft::IqRouterRtlSize{${size}}>")

# Egress port of a packet switch (rtl/packet/egress_port.sv). Scheduler: 0 dtable, 1 drr, 2 ib_arbiter.
set(weft_needs Scheduler NumSl NumVl NumEntries WeightW SizeW CountW Depth NextDepth Rate Output Width)
set(weft_may_be_0 Scheduler NumEntries WeightW CountW)  # a scheduler need not have all
set(weft_module egress_port)
set(weft_rtl packet/round_robin packet/arbitration_table packet/dtable packet/drr packet/ib_arbiter packet/delay_line
    packet/vc_buffer packet/shared_space packet/flit_store packet/egress_port common/onehot_index)
if(NOT weft_complete)
  return()
endif()
if(Width LESS 32)
  message(FATAL_ERROR "${here}: an egress port in a network needs flits of at least 32 bits (Width)")
endif()
if(Scheduler GREATER 2)
  message(FATAL_ERROR "${here}: the scheduler of an egress port is 0 (dtable), 1 (drr) or 2 (ib_arbiter) (Scheduler)")
endif()
weft_clog2(SlW "${NumSl}")
weft_clog2(VlW "${NumVl}")
weft_clog2(EntryW "${NumEntries}")
foreach(count Depth NextDepth Rate)
  math(EXPR numbers "${${count}} + 1")
  weft_clog2(${count}W "${numbers}")
endforeach()
math(EXPR places "${NumVl} * ${DepthW}")
math(EXPR nexts "${NumVl} * ${NextDepthW}")
math(EXPR data "${Rate} * ${Width}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:cfg_we_i:1 in:cfg_high_i:1 in:cfg_index_i:${EntryW} in:cfg_sl_i:${SlW}
    in:cfg_weight_i:${WeightW} in:limit_i:8 in:minimum_i:${places} in:maximum_i:${places} in:shared_i:${DepthW}
    in:next_minimum_i:${nexts} in:next_maximum_i:${nexts} in:next_shared_i:${NextDepthW} out:room_o:${places}
    in:reserve_i:${places} in:flits_i:${RateW} in:head_i:1 in:vl_i:${VlW} in:sl_i:${SlW} in:size_i:${SizeW} in:data_i:${data}
    in:credit_i:${nexts} out:credits_o:${nexts} out:grant_o:1 out:grant_sl_o:${SlW} out:grant_vl_o:${VlW} out:link_valid_o:1
    out:link_head_o:1 out:link_tail_o:1 out:link_vl_o:${VlW} out:link_data_o:${Width})
set(weft_header cosim/packet/verilated_egress_port.h)
set(weft_member packet.egress_port)
set(size "weft::SchedulerRtlSize{${NumSl}, ${NumEntries}, ${WeightW}, ${SizeW}, ${CountW}}")
string(APPEND size ", ${NumVl}, ${Depth}, ${NextDepth}, ${Rate}, ${Output}, ${Width}")
set(weft_maker "verilated_egress_port<V${name}, weft::EgressPortRtlSize{${size}}, ${Scheduler}>")

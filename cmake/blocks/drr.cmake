# Deficit round robin of an output (rtl/packet/drr.sv).
set(weft_needs NumSl WeightW SizeW CountW)
set(weft_latency ON)
if(NOT weft_complete)
  return()
endif()
weft_clog2(SlW "${NumSl}")
math(EXPR sizes "${NumSl} * ${SizeW}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:cfg_we_i:1 in:cfg_sl_i:${SlW} in:cfg_weight_i:${WeightW} in:decide_i:1
    in:active_i:${NumSl} in:size_i:${sizes} out:grant_o:1 out:grant_sl_o:${SlW} out:saturated_o:1)
set(weft_header cosim/packet/verilated_drr.h)
set(weft_member packet.drr)
set(weft_maker "verilated_drr<V${name}, weft::DrrRtlSize{${NumSl}, 0, ${WeightW}, ${SizeW}, ${CountW}}, ${LATENCY}>")

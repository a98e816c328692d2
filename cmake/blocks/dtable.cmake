# Deficit Table of an output (rtl/packet/dtable.sv).
set(weft_needs NumSl NumEntries WeightW SizeW CountW)
set(weft_latency ON)
set(weft_module dtable)
set(weft_rtl packet/dtable common/onehot_index)
if(NOT weft_complete)
  return()
endif()
weft_clog2(SlW "${NumSl}")
weft_clog2(EntryW "${NumEntries}")
math(EXPR sizes "${NumSl} * ${SizeW}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:cfg_we_i:1 in:cfg_index_i:${EntryW} in:cfg_sl_i:${SlW}
    in:cfg_weight_i:${WeightW} in:decide_i:1 in:active_i:${NumSl} in:size_i:${sizes} out:grant_o:1
    out:grant_sl_o:${SlW} out:saturated_o:1)
set(weft_header cosim/packet/verilated_dtable.h)
set(weft_member packet.dtable)
set(weft_maker
    "verilated_dtable<V${name}, weft::DtableRtlSize{${NumSl}, ${NumEntries}, ${WeightW}, ${SizeW}, ${CountW}}, ${LATENCY}>")

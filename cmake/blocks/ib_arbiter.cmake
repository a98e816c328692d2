# Two-table arbiter of InfiniBand of an output (rtl/packet/ib_arbiter.sv); weights have 8 bits.
set(weft_needs NumSl NumEntries SizeW)
set(weft_latency ON)
set(weft_module ib_arbiter)
set(weft_rtl packet/round_robin packet/arbitration_table packet/ib_arbiter common/onehot_index)
if(NOT weft_complete)
  return()
endif()
weft_clog2(SlW "${NumSl}")
weft_clog2(EntryW "${NumEntries}")
math(EXPR sizes "${NumSl} * ${SizeW}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:cfg_we_i:1 in:cfg_high_i:1 in:cfg_index_i:${EntryW} in:cfg_sl_i:${SlW}
    in:cfg_weight_i:8 in:limit_i:8 in:decide_i:1 in:active_i:${NumSl} in:size_i:${sizes} out:grant_o:1
    out:grant_sl_o:${SlW})
set(weft_header cosim/packet/verilated_ib_arbiter.h)
set(weft_member packet.ib_arbiter)
set(weft_maker
    "verilated_ib_arbiter<V${name}, weft::IbArbiterRtlSize{${NumSl}, ${NumEntries}, 8, ${SizeW}, 0}, ${LATENCY}>")

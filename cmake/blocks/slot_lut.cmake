# Slot LUT of a FiC switch (rtl/tdm/slot_lut.sv); a switch has two rows per port.
set(weft_needs Rows Slots)
set(weft_latency ON)
if(NOT weft_complete)
  return()
endif()
weft_clog2(SlotW "${Slots}")
weft_clog2(RowW "${Rows}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:req_valid_i:1 in:req_op_i:2 in:req_row_i:${RowW} in:req_slots_i:${Slots}
    out:rsp_valid_o:1 out:rsp_ok_o:1 out:rsp_free_o:${Slots} out:rsp_first_o:${SlotW})
set(weft_header cosim/tdm/verilated_slot_lut.h)
set(weft_member tdm.slot_lut)
set(weft_maker "verilated_slot_lut<V${name}, ${Rows}, ${Slots}, ${LATENCY}>")

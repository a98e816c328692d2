# Address translation of an M_DMAC (rtl/optweb/stripe_address.sv); addresses of 40 bits, numbers of stripes of 8.
set(weft_needs Stripes Capacity)
set(weft_latency ON)
set(weft_module stripe_address)
set(weft_rtl optweb/stripe_address)
set(weft_fixed AddrW=40 IndexW=8)
if(NOT weft_complete)
  return()
endif()
set(weft_pins in:clk_i:1 in:rst_ni:1 in:req_valid_i:1 in:req_base_i:40 in:req_size_i:40 in:req_index_i:8
    out:rsp_valid_o:1 out:rsp_address_o:40 out:rsp_interfaces_o:2 out:rsp_range_o:1 out:rsp_overlap_o:1)
set(weft_header cosim/optweb/verilated_optweb.h)
set(weft_member optweb.stripe_address)
set(weft_maker "optweb::verilated_stripe_address<V${name}, ${Stripes}, ${Capacity}, ${LATENCY}>")

# Control of an OPTWEB node's distributed switch (rtl/optweb/switch_control.sv); word counts and steps of 36 bits. A node may
# have fewer ports than the block.
set(weft_needs Ports)
set(weft_module switch_control)
set(weft_rtl optweb/switch_control)
set(weft_fixed WordW=36 StepW=36)
if(NOT weft_complete)
  return()
endif()
weft_clog2(bits ${Ports})
math(EXPR numbers "${Ports} * ${bits}")
math(EXPR counts "${Ports} * 36")
math(EXPR both "2 * ${Ports}")
set(weft_pins in:clk_i:1 in:rst_ni:1 in:own_i:${Ports} in:write_i:1 in:rendezvous_i:1 in:barrier_i:${Ports}
    in:send_i:${Ports} in:reader_i:${numbers} in:send_words_i:${counts} in:receive_i:${Ports} in:writer_i:${numbers}
    in:receive_words_i:${counts} in:set_i:1 in:clear_i:1 out:refused_o:1 out:holds_o:1 out:set_o:1 out:cut_o:1
    in:notified_i:${Ports} out:notify_o:${Ports} out:confirm_o:${Ports} out:awaited_o:${Ports} out:unready_o:${Ports}
    out:noted_o:1 out:lost_o:${Ports} in:read_words_i:${counts} out:open_o:1 out:pass_o:${Ports} out:joined_o:${Ports}
    out:select_o:${numbers} out:words_o:${counts} out:sent_o:1 in:link_words_i:${counts} out:taken_o:${Ports}
    out:writer_o:${numbers} out:received_o:1 out:excess_o:${both})
set(weft_header cosim/optweb/verilated_switch_control.h)
set(weft_member optweb.switch_control)
set(weft_maker "optweb::verilated_switch_control<V${name}, ${Ports}>")

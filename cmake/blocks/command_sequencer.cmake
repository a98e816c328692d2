# Command sequencer of an OPTWEB node (rtl/optweb/command_sequencer.sv): 256 entries, addresses of 40 bits, nodes and groups
# of 10, flags of 8, time of 32.
set(weft_needs)
set(weft_module command_sequencer)
set(weft_rtl optweb/command_sequencer)
set(weft_fixed Depth=256 AddrW=40 NodeW=10 GroupW=10 FlagsW=8 TimeW=32)
if(NOT weft_complete)
  return()
endif()
set(weft_pins in:clk_i:1 in:rst_ni:1 in:cfg_we_i:1 in:cfg_index_i:8 in:cfg_instr_i:162 in:doorbell_i:1
    in:doorbell_count_i:9 out:doorbell_ok_o:1 out:free_o:9 out:entry_o:8 out:idle_o:1 out:issue_o:3 in:ready_i:3
    in:done_i:3 out:opcode_o:4 out:send_address_o:40 out:receive_address_o:40 out:size_o:40 out:source_o:10
    out:destination_o:10 out:group_o:10 out:flags_o:8 out:completed_o:1 out:elapsed_o:32 in:time_i:32 out:illegal_o:1
    out:stray_o:3)
set(weft_header cosim/optweb/verilated_optweb.h)
set(weft_member optweb.command_sequencer)
set(weft_maker "optweb::verilated_command_sequencer<V${name}>")

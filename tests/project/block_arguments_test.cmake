# What weft_add_block() refuses when it is called, and what check_pins.cmake says of modules that do not fit. Usage: cmake
# -P, in a folder of its own.
cmake_minimum_required(VERSION 3.25)
set(cmake ${CMAKE_CURRENT_LIST_DIR}/../../cmake)
set(work ${CMAKE_CURRENT_BINARY_DIR})
file(WRITE ${work}/block.sv "module block; endmodule\n")

function(expect arguments text)
  file(WRITE ${work}/call.cmake "cmake_minimum_required(VERSION 3.25)\nlist(APPEND CMAKE_MODULE_PATH ${cmake})\ninclude(${cmake}/WeftBlocks.cmake)\n"
                                "weft_add_block(mine ${arguments})\n")
  execute_process(COMMAND ${CMAKE_COMMAND} -P ${work}/call.cmake RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  string(REGEX REPLACE "[ \n]+" " " out "${out}")
  string(FIND "${out}" "${text}" place)
  if(status EQUAL 0 OR place EQUAL -1)
    message(SEND_ERROR "weft_add_block(mine ${arguments}) should say '${text}': ${out}")
  endif()
endfunction()

set(start "PLACE slot_lut TOP block SOURCES ${work}/block.sv")
foreach(latency x -1 1.5 "" 10000)
  expect("${start} PARAMETERS Rows=16 Slots=64 LATENCY ${latency}" "LATENCY '${latency}' is no number of cycles (0 to 9999)")
endforeach()
expect("${start} PARAMETERS Rows=16 Slots=64 Rows=8" "parameter Rows is given twice")
expect("${start} PARAMETERS Rows=16 Slots=64 SIZES Rows=8" "parameter Rows is given twice")
expect("${start} PARAMETERS Rows=0 Slots=64" "Rows=0: a place 'slot_lut' needs at least 1")
expect("PLACE data_path TOP block SOURCES ${work}/block.sv PARAMETERS Ports=8 Slots=00" "Slots=0: a place 'data_path' needs at least 1")
# These may be 0: the next complaint is about another one.
expect("PLACE iq_router TOP block SOURCES ${work}/block.sv PARAMETERS Ports=5 Vcs=2 Trunk=1 Width=32 Buffer=8 BufferWrite=0 \
Routing=1 VcAllocation=1 SwitchAllocation=0 Crossbar=0 Credit=0 Islip=0 Iterations=0 WhenEmpty=0" "Iterations=0: a place")

file(WRITE ${work}/block.h "  VL_IN8(&clk_i,0,0);
  VL_INOUT16(&both_o,8,0);
  VL_OUT8(&turned_i,0,0);
  VL_IN8((&list_i)[3],0,0);
  VL_OUT8(&narrow_o,1,0);
  VL_INW(&extra_i,99,0,4);
")
file(READ ${work}/block.h text)
string(REPLACE "VL_IN8((&list_i)[3],0,0)" "VL_IN8(&list_i)" text "${text}")
file(WRITE ${work}/block.h "${text}")
execute_process(COMMAND ${CMAKE_COMMAND} -D HEADER=${work}/block.h -D MODULE=block -D PLACE=dtable
                -D PINS=in:clk_i:1,out:both_o:9,in:turned_i:1,in:list_i:3,out:narrow_o:3,in:gone_i:7 -P ${cmake}/check_pins.cmake
                RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
foreach(text "both_o: is an inout, not an output" "turned_i: is an output, not an input"
             "list_i: is an unpacked array, not an input" "narrow_o: has 2 bits, not 3" "gone_i: missing, input of 7 bits"
             "extra_i: input that nobody drives" "/blocks/dtable.cmake")
  string(FIND "${out}" "${text}" place)
  if(status EQUAL 0 OR place EQUAL -1)
    message(SEND_ERROR "check_pins should say '${text}': ${out}")
  endif()
endforeach()

# A faulty copy whose line has been edited: configuration goes on with a copy that has no fault, and the test that tells
# of it fails with the file, the line that is missing and what stood for it. Usage: cmake -P, in a folder of its own.
include(${CMAKE_CURRENT_LIST_DIR}/../support/faulty_copy.cmake)
set(script ${CMAKE_CURRENT_LIST_DIR}/../support/faulty_copy.cmake)

# What the test says of the faults that are lost so far.
function(run_test)
  weft_write_lost_faults(${CMAKE_CURRENT_BINARY_DIR}/lost.txt)
  execute_process(COMMAND ${CMAKE_COMMAND} -D LIST=${CMAKE_CURRENT_BINARY_DIR}/lost.txt -P ${script}
                  RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  set(status ${status} PARENT_SCOPE)
  string(REGEX REPLACE "[ \n]+" " " out "${out}")
  set(out "${out}" PARENT_SCOPE)
endfunction()

set(file ${CMAKE_CURRENT_BINARY_DIR}/block.sv)
file(WRITE ${file} "assign a_o = b_i && c_i;\n")

weft_faulty_copy(${file} "b_i && c_i" "b_i || c_i")
file(READ ${FAULTY} copy)
if(NOT copy STREQUAL "assign a_o = b_i || c_i;\n")
  message(SEND_ERROR "the copy has no fault: ${copy}")
endif()
run_test()
if(NOT status EQUAL 0)
  message(SEND_ERROR "the test fails although every fault has its line: ${out}")
endif()

weft_faulty_copy(${file} "d_i && c_i" "!d_i")
file(READ ${FAULTY} copy)
file(READ ${file} original)
if(NOT copy STREQUAL original)
  message(SEND_ERROR "the copy is not the file itself: ${copy}")
endif()
run_test()
if(status EQUAL 0)
  message(SEND_ERROR "the test passes although a fault has lost its line")
endif()
foreach(part "${file}: 'd_i && c_i' is not there any more" "replaces by '!d_i'" "change that call of weft_faulty_copy")
  string(FIND "${out}" "${part}" place)
  if(place EQUAL -1)
    message(SEND_ERROR "the test does not say: ${part}\nbut: ${out}")
  endif()
endforeach()

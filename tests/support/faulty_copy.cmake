# Faulty copies of the RTL, for tests that must see the fault.
#
# weft_faulty_copy(<file> <text> <wrong text>) leaves the path of the copy in FAULTY. Where the text is not there any
# more the copy has no fault: everything else is built and runs as before, the tests of that fault fail, and so does the
# test rtl.faulty_copies (weft_faulty_copies_test), which says what to mend.
#
# cmake -D LIST=<file> -P faulty_copy.cmake   is that test.
cmake_minimum_required(VERSION 3.20)  # as a script it has no project's policies

if(CMAKE_SCRIPT_MODE_FILE STREQUAL CMAKE_CURRENT_LIST_FILE)
  file(READ ${LIST} lost)
  if(lost)
    message(NOTICE "${lost}")
    message(FATAL_ERROR "faulty copies of the RTL without their fault")
  endif()
  return()
endif()

function(weft_faulty_copy file text wrong)
  file(READ ${file} content)
  string(FIND "${content}" "${text}" place)
  if(place EQUAL -1)
    set_property(GLOBAL APPEND_STRING PROPERTY WEFT_LOST_FAULTS
      "${file}: '${text}' is not there any more, which a faulty copy replaces by '${wrong}'; change that call of weft_faulty_copy to the line as it is now\n")
  endif()
  string(REPLACE "${text}" "${wrong}" content "${content}")
  get_filename_component(name ${file} NAME)
  string(MD5 folder "${wrong}")
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/faulty/${folder}/${name})
  file(CONFIGURE OUTPUT ${copy} CONTENT "${content}" @ONLY)
  if(NOT CMAKE_SCRIPT_MODE_FILE)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  endif()
  set(FAULTY ${copy} PARENT_SCOPE)
endfunction()

# Writes what has been lost into a file; after the last weft_faulty_copy().
function(weft_write_lost_faults list)
  get_property(lost GLOBAL PROPERTY WEFT_LOST_FAULTS)
  file(CONFIGURE OUTPUT ${list} CONTENT "${lost}" @ONLY)
endfunction()

function(weft_faulty_copies_test)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/faulty/lost.txt)
  weft_write_lost_faults(${list})
  add_test(NAME rtl.faulty_copies
    COMMAND ${CMAKE_COMMAND} -D LIST=${list} -P ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/faulty_copy.cmake)
endfunction()

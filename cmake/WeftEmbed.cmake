# weft_embed(<target> <symbol> <file>...): builds files into a target, one behind the other, between the symbols <symbol>
# and <symbol>_end (base/embedded.h). A file of the assembler takes them in, so they cost no time of compilation, and the
# program needs no file beside it.

function(weft_embed target symbol)
  set(text "        .section .rodata\n        .global ${symbol}\n${symbol}:\n")
  foreach(file ${ARGN})
    string(APPEND text "        .incbin \"${file}\"\n")
  endforeach()
  string(APPEND text "        .global ${symbol}_end\n${symbol}_end:\n        .byte 0\n"
                     "        .section .note.GNU-stack,\"\",%progbits\n")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${symbol}.S)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARGN}" SKIP_PRECOMPILE_HEADERS ON
                              SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()

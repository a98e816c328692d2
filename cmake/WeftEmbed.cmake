# weft_embed(<target> SYMBOLS <symbol>... FILES <file>...): builds files into a target. The bytes of the first lie between
# the symbols <symbol> and <symbol>_end, and so on; a file of the assembler takes them in, so they cost no time of
# compilation, and the program needs no file beside it.

function(weft_embed target)
  cmake_parse_arguments(ARG "" "" "SYMBOLS;FILES" ${ARGN})
  set(text "        .section .rodata\n")
  foreach(symbol file IN ZIP_LISTS ARG_SYMBOLS ARG_FILES)
    string(APPEND text
      "        .global ${symbol}\n${symbol}:\n        .incbin \"${file}\"\n"
      "        .global ${symbol}_end\n${symbol}_end:\n        .byte 0\n")
  endforeach()
  string(APPEND text "        .section .note.GNU-stack,\"\",%progbits\n")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}_embedded.s)
  file(CONFIGURE OUTPUT ${source} CONTENT "${text}" @ONLY)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS "${ARG_FILES}" SKIP_PRECOMPILE_HEADERS ON
                              SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${source})
endfunction()

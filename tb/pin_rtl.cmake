# weft_pin_rtl(<rtl library> <block> <name> SOURCES a.sv ... PARAMETERS P=1 ... [LARGE]): Verilator's SystemC module
# V<block>_pins_<name> of a block.
# LARGE: compiled in parts and without waves. The others are compiled as one file each, since Verilator's many small
# files would spend most of their time on SystemC's header.
function(weft_pin_rtl library block name)
  cmake_parse_arguments(ARG "LARGE" "" "SOURCES;PARAMETERS" ${ARGN})
  set(options)
  if(ARG_LARGE)
    set(options NO_TRACE)
  endif()
  set(class V${block}_pins_${name})
  # Verilator 5.006 forgets to declare the index of some loops that it makes of long assignments: no such loops.
  weft_verilate(${library} NAME ${block}_pins_${name} TOP ${block} SOURCES ${ARG_SOURCES}
                PARAMETERS ${ARG_PARAMETERS} SYSTEMC ${options} ARGS -fno-reloop)
  if(ARG_LARGE)
    return()
  endif()
  get_target_property(parts ${library} SOURCES)
  list(FILTER parts INCLUDE REGEX "/${class}/.*\\.cpp$")
  set_source_files_properties(${parts} PROPERTIES HEADER_FILE_ONLY ON)
  list(TRANSFORM parts REPLACE "(.+)" "#include \"\\1\"" OUTPUT_VARIABLE includes)
  list(JOIN includes "\n" includes)
  set(whole ${CMAKE_CURRENT_BINARY_DIR}/${library}/${class}_whole.cpp)
  file(CONFIGURE OUTPUT ${whole} CONTENT "${includes}\n" @ONLY)
  set_source_files_properties(${whole} PROPERTIES OBJECT_DEPENDS "${parts}")
  target_sources(${library} PRIVATE ${whole})
endfunction()

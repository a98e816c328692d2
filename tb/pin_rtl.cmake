# weft_pin_rtl(<rtl library> <block> <name> SOURCES a.sv ... PARAMETERS P=1 ... [LARGE]): Verilator's SystemC module
# V<block>_pins_<name> of a block.
# LARGE: compiled in parts and without waves. Registers without a reset begin with random values. The others are compiled as one file each, since Verilator's many small
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
                PARAMETERS ${ARG_PARAMETERS} SYSTEMC ${options} ARGS -fno-reloop --x-assign unique --x-initial unique)
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

# weft_pin_mutant(<rtl library> <file> <mutant> PARAMETERS P=1 ...): class V<block>_pins_<mutant> of a faulty copy of the
# block, which formal/mutants/<mutant>.sed makes. A bench must notice that.
function(weft_pin_mutant library file mutant)
  cmake_parse_arguments(ARG "" "" "PARAMETERS" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/formal/mutants/${mutant}.sed)
  execute_process(COMMAND sed -E -f ${script} ${file} OUTPUT_VARIABLE content COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script} ${file})
  get_filename_component(block ${file} NAME_WE)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/mutants/${mutant}/${block}.sv)
  file(CONFIGURE OUTPUT ${copy} CONTENT "${content}" @ONLY)
  weft_pin_rtl(${library} ${block} ${mutant} SOURCES ${copy} PARAMETERS ${ARG_PARAMETERS})
endfunction()

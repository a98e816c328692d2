# The blocks run for seconds and take minutes to compile: -O1 takes two thirds of the time of -O2.
set(WEFT_PIN_OPTIONS $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
if(WEFT_RTL_COVERAGE OR WEFT_MUTANT_RTL)  # with counters or mutants they have several times the text
  set(WEFT_PIN_OPTIONS -O0)
endif()

# With WEFT_RTL_COVERAGE the blocks count lines, toggles and cover properties, which PinBench writes at the end of a case.
set(WEFT_PIN_COVERAGE)
if(WEFT_RTL_COVERAGE)
  set(WEFT_PIN_COVERAGE COVERAGE)
endif()

set(WEFT_PIN_COMMON_RTL ${PROJECT_SOURCE_DIR}/rtl/common CACHE PATH "Folder of the parts of several benches' RTL")

# Verilator's runtime for SystemC modules, shared by the pin-level benches.
weft_rtl_library(pin_rtl_runtime SYSTEMC ${WEFT_PIN_COVERAGE})
if(WEFT_RTL_COVERAGE)
  target_compile_definitions(pin_rtl_runtime PUBLIC WEFT_RTL_COVERAGE)
endif()
if(WEFT_PIN_FEW_SIZES)
  target_compile_definitions(pin_rtl_runtime PUBLIC WEFT_PIN_FEW_SIZES)
endif()
target_compile_options(pin_rtl_runtime PRIVATE ${WEFT_PIN_OPTIONS})

# weft_pin_library(<name>): library of the Verilated blocks of a bench.
function(weft_pin_library name)
  weft_rtl_library(${name} SYSTEMC RUNTIME pin_rtl_runtime ${WEFT_PIN_COVERAGE})
  target_compile_options(${name} PRIVATE ${WEFT_PIN_OPTIONS})
endfunction()

# Largest signal or memory whose bits are counted, in bits.
set(WEFT_PIN_COUNTED_BITS 512)

# weft_pin_rtl(<rtl library> <block> <name> SOURCES a.sv ... PARAMETERS P=1 ... [NOT_COUNTED] [NO_INLINE] [more for
# weft_verilate]): Verilator's SystemC module V<block>_pins_<name> of a block. Registers without a reset begin with random values.
# NOT_COUNTED: not there in builds with WEFT_PIN_FEW_SIZES, since it is large, or a faulty copy. NO_INLINE: instances of a part share
# its code.
function(weft_pin_rtl library block name)
  cmake_parse_arguments(PIN "NOT_COUNTED;NO_INLINE" "" "" ${ARGN})
  # Verilator 5.006 forgets to declare the index of some loops that it makes of long assignments: no such loops.
  set(arguments -fno-reloop --x-assign unique --x-initial unique)
  if(PIN_NO_INLINE OR (WEFT_MUTANT_RTL AND block STREQUAL iq_router))  # several times the text, in every pair of VCs
    list(APPEND arguments -fno-inline)
  endif()
  if(PIN_NOT_COUNTED AND WEFT_PIN_FEW_SIZES)
    return()
  endif()
  if(WEFT_RTL_COVERAGE)
    list(APPEND arguments --coverage-line --coverage-toggle --coverage-user --coverage-max-width ${WEFT_PIN_COUNTED_BITS}
         +define+COVERAGE)
    foreach(folder common optweb packet tdm)
      list(APPEND arguments -Irtl/${folder})
    endforeach()
  endif()
  weft_verilate(${library} NAME ${block}_pins_${name} TOP ${block} ${PIN_UNPARSED_ARGUMENTS} SYSTEMC ARGS ${arguments})
endfunction()

# weft_pin_mutant(<rtl library> <file> <mutant> [PARTS a.sv ...] PARAMETERS P=1 ...): class V<block>_pins_<mutant> of a faulty
# copy of the block, which formal/mutants/<mutant>.sed makes. A bench must notice that. A script that changes nothing any more lets
# the test rtl.faulty_copies fail (tests/support/faulty_copy.cmake).
function(weft_pin_mutant library file mutant)
  cmake_parse_arguments(ARG "" "" "PARTS;PARAMETERS" ${ARGN})
  set(script ${PROJECT_SOURCE_DIR}/formal/mutants/${mutant}.sed)
  execute_process(COMMAND sed -E -f ${script} ${file} OUTPUT_VARIABLE content COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${file} original)
  if(content STREQUAL original)
    set_property(GLOBAL APPEND_STRING PROPERTY WEFT_LOST_FAULTS "${script} changes nothing in ${file}\n")
  endif()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${script} ${file})
  get_filename_component(block ${file} NAME_WE)
  set(copy ${CMAKE_CURRENT_BINARY_DIR}/mutants/${mutant}/${block}.sv)
  file(CONFIGURE OUTPUT ${copy} CONTENT "${content}" @ONLY)
  weft_pin_rtl(${library} ${block} ${mutant} SOURCES ${copy} ${ARG_PARTS} PARAMETERS ${ARG_PARAMETERS} NOT_COUNTED)
endfunction()

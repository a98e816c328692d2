# Own RTL in the places of a network (docs/howto/rtl.md): weft_add_block() makes a block of a SystemVerilog module,
# weft_add_plugin() a plug-in of several blocks, or of sources in C++.
include(WeftVerilate)
if(NOT WEFT_RTL_FOLDER)
  set(WEFT_RTL_FOLDER ${WEFT_VERILATE_FOLDER}/../rtl)
endif()

# weft_add_block(<name> PLACE <place> [TOP <module> SOURCES a.sv ...] [PARAMETERS P=1 ...] [SIZES P=1 ...] [LATENCY <n>]
#                [NO_TRACE] [COVERAGE] [ARGS <more arguments of verilator>])
# A block that configurations call <name> (`rtl: <name>`), of one module with these parameters. Makes
#   <name>         static library for a program of one's own: #include "<name>.h", then add_<name>(registry.blocks())
#   <name>_plugin  lib<name>.so for any program: weft run --plugin lib<name>.so
# Without TOP and SOURCES it is Weft's own RTL of that place, with these parameters.
# SOURCES: SystemVerilog and Verilog; or VHDL (.vhd, .vhdl), of which GHDL makes Verilog: TOP is an entity then, PARAMETERS
# its generics. PLACE: a file of blocks/. SIZES: parameters of the place that the module does not have. LATENCY: the module answers so
# many cycles later than Weft's own, in places that allow it. COVERAGE: its cover properties are counted, and those behind
# `ifdef COVERAGE; the report of a run in lockstep names those that have held.
function(weft_add_block name)
  cmake_parse_arguments(ARG "NO_TRACE;COVERAGE" "PLACE;TOP;LATENCY" "SOURCES;PARAMETERS;SIZES;ARGS" ${ARGN})
  set(here "weft_add_block(${name})")
  weft_check_call("${here}" "${name}" "${ARG_UNPARSED_ARGUMENTS}")
  set(needed PLACE)
  if(ARG_TOP OR ARG_SOURCES)
    list(APPEND needed TOP SOURCES)
  endif()
  foreach(argument ${needed})
    if(NOT ARG_${argument})
      message(FATAL_ERROR "${here}: ${argument} is missing")
    endif()
  endforeach()
  set(file ${WEFT_VERILATE_FOLDER}/blocks/${ARG_PLACE}.cmake)
  if(NOT EXISTS ${file})
    file(GLOB places RELATIVE ${WEFT_VERILATE_FOLDER}/blocks ${WEFT_VERILATE_FOLDER}/blocks/*.cmake)
    list(TRANSFORM places REPLACE "\\.cmake$" "")
    list(JOIN places ", " places)
    message(FATAL_ERROR "${here}: there is no place '${ARG_PLACE}'; there is ${places}")
  endif()
  foreach(source ${ARG_SOURCES})
    get_filename_component(source ${source} ABSOLUTE)
    if(NOT EXISTS ${source})
      message(FATAL_ERROR "${here}: there is no file ${source}")
    endif()
  endforeach()
  set(LATENCY 0)
  if(DEFINED ARG_LATENCY OR "LATENCY" IN_LIST ARG_KEYWORDS_MISSING_VALUES)
    if(NOT ARG_LATENCY MATCHES "^[0-9][0-9]?[0-9]?[0-9]?$")
      message(FATAL_ERROR "${here}: LATENCY '${ARG_LATENCY}' is no number of cycles (0 to 9999)")
    endif()
    math(EXPR LATENCY "${ARG_LATENCY}")
  endif()
  set(given "")
  foreach(value ${ARG_PARAMETERS} ${ARG_SIZES})
    if(NOT value MATCHES "^([A-Za-z_][A-Za-z0-9_]*)=([0-9]+)$")
      message(FATAL_ERROR "${here}: '${value}' is no NAME=NUMBER")
    endif()
    if(CMAKE_MATCH_1 IN_LIST given)
      message(FATAL_ERROR "${here}: parameter ${CMAKE_MATCH_1} is given twice")
    endif()
    set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    list(APPEND given ${CMAKE_MATCH_1})
  endforeach()
  set(weft_module "")  # of Weft's own RTL
  set(weft_rtl "")  # its files
  set(weft_fixed "")  # its parameters that a network does not choose
  set(weft_needs "")  # names of parameters that the place needs
  set(weft_may_be_0 "")  # those of them that may be 0
  set(weft_latency OFF)
  set(weft_complete OFF)  # the first time it says what it needs
  include(${file})
  foreach(parameter ${weft_needs})
    if(NOT parameter IN_LIST given)
      message(FATAL_ERROR "${here}: a place '${ARG_PLACE}' needs ${parameter}: PARAMETERS ${parameter}=..., or SIZES if "
                          "the module has no such parameter")
    endif()
    if(${parameter} EQUAL 0 AND NOT parameter IN_LIST weft_may_be_0)
      message(FATAL_ERROR "${here}: ${parameter}=0: a place '${ARG_PLACE}' needs at least 1")
    endif()
  endforeach()
  if(ARG_LATENCY AND NOT weft_latency)
    message(FATAL_ERROR "${here}: a block in a place '${ARG_PLACE}' answers in its cycle; LATENCY is for dtable, "
                        "drr, ib_arbiter, slot_lut and stripe_address")
  endif()
  if(NOT ARG_TOP)
    if(ARG_SIZES)
      message(FATAL_ERROR "${here}: SIZES is for a module without these parameters; Weft's own has them")
    endif()
    set(ARG_TOP ${weft_module})
    weft_block_rtl(ARG_SOURCES ${ARG_PLACE} ${WEFT_RTL_FOLDER})
    foreach(value ${weft_fixed})
      string(REGEX REPLACE "=.*" "" parameter ${value})
      if(NOT parameter IN_LIST given)
        list(APPEND ARG_PARAMETERS ${value})
      endif()
    endforeach()
  endif()
  set(weft_complete ON)
  include(${file})
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${name}_block)
  file(CONFIGURE OUTPUT ${folder}/${name}.h @ONLY CONTENT [[#pragma once
// Block '@name@' (place @ARG_PLACE@), written by weft_add_block().

#include "cosim/block_catalog.h"

void add_@name@(weft::BlockCatalog& blocks);
]])
  file(CONFIGURE OUTPUT ${folder}/${name}.cpp @ONLY CONTENT [[#include "V@name@.h"  // before SystemC: its headers take SystemC's time where they find SystemC

#include "@name@.h"
#include "@weft_header@"
#include "run/plugin.h"

void add_@name@(weft::BlockCatalog& blocks) {
  blocks.@weft_member@.add("@name@", weft::@weft_maker@("@ARG_TOP@"));
}

#ifndef WEFT_PLUGIN_OF_SEVERAL
WEFT_PLUGIN([](weft::Registry& registry) { add_@name@(registry.blocks()); })
#endif
]])
  set(vhdl ${ARG_SOURCES})
  list(FILTER vhdl INCLUDE REGEX "[.]vhdl?$")
  if(vhdl)
    if(NOT vhdl STREQUAL ARG_SOURCES)
      message(FATAL_ERROR "${here}: VHDL and Verilog in one block")
    endif()
    find_program(WEFT_GHDL ghdl)
    if(NOT WEFT_GHDL)
      message(FATAL_ERROR "${here}: VHDL needs GHDL (Debian's package ghdl)")
    endif()
    string(TOLOWER ${ARG_TOP} ARG_TOP)
    set(files)
    foreach(source ${vhdl})
      get_filename_component(source ${source} ABSOLUTE)
      list(APPEND files ${source})
    endforeach()
    string(REPLACE ";" "," sources "${files}")
    string(REPLACE ";" "," generics "${ARG_PARAMETERS}")
    set(ARG_SOURCES ${folder}/${ARG_TOP}.v)
    set(ARG_PARAMETERS)
    set(script ${WEFT_VERILATE_FOLDER}/synthesize_vhdl.cmake)
    add_custom_command(OUTPUT ${ARG_SOURCES}
      COMMAND ${CMAKE_COMMAND} -D GHDL=${WEFT_GHDL} -D TOP=${ARG_TOP} -D SOURCES=${sources} -D GENERICS=${generics}
              -D OUTPUT=${ARG_SOURCES} -P ${script}
      DEPENDS ${files} ${script} COMMENT "Synthesizing ${ARG_TOP}" WORKING_DIRECTORY ${folder} VERBATIM)
    list(APPEND ARG_ARGS -Wno-lint)  # of generated text
  endif()
  set(options)
  if(ARG_NO_TRACE)
    set(options NO_TRACE)
  endif()
  set(coverage)
  if(ARG_COVERAGE)
    set(coverage COVERAGE)
    set(folders)  # where files stand that the sources include
    foreach(source ${ARG_SOURCES})
      get_filename_component(source ${source} ABSOLUTE)
      get_filename_component(source ${source} DIRECTORY)
      list(APPEND folders -I${source})
    endforeach()
    list(REMOVE_DUPLICATES folders)
    list(APPEND ARG_ARGS --coverage-user +define+COVERAGE ${folders})
  endif()
  add_library(${name}_verilated OBJECT)
  set_target_properties(${name}_verilated PROPERTIES POSITION_INDEPENDENT_CODE ON)
  weft_verilated_target(${name}_verilated ${coverage})
  weft_verilate(${name}_verilated NAME ${name} TOP ${ARG_TOP} SOURCES ${ARG_SOURCES} PARAMETERS ${ARG_PARAMETERS}
                ARGS -Wno-fatal -Wno-DECLFILENAME ${ARG_ARGS} ${options} PINS ${ARG_PLACE} ${weft_pins})
  weft_adapter(${name}_adapter SOURCES ${folder}/${name}.cpp VERILATED ${name}_verilated)
  weft_plugin_libraries(${name} $<TARGET_OBJECTS:${name}_verilated> $<TARGET_OBJECTS:${name}_adapter>)
  target_include_directories(${name} PUBLIC ${folder})
  target_link_libraries(${name} PUBLIC weft::cosim)
endfunction()

# weft_add_plugin(<name> SOURCES a.cpp ... [VERILATED <object library> ...])
# weft_add_plugin(<name> BLOCKS <block> ...)
# A plug-in in C++, one of whose sources has WEFT_PLUGIN (run/plugin.h): boxes of OPTWEB nodes, families; or one of several
# blocks of weft_add_block() in this folder, whose adapters are compiled as one. Makes
#   <name>         static library for a program of one's own
#   <name>_plugin  lib<name>.so for any program: weft run --plugin lib<name>.so
# VERILATED: OBJECT libraries that weft_verilated_target() has prepared, with the classes the sources use.
function(weft_add_plugin name)
  cmake_parse_arguments(ARG "" "" "SOURCES;VERILATED;BLOCKS" ${ARGN})
  set(here "weft_add_plugin(${name})")
  weft_check_call("${here}" "${name}" "${ARG_UNPARSED_ARGUMENTS}")
  if((ARG_SOURCES AND ARG_BLOCKS) OR (NOT ARG_SOURCES AND NOT ARG_BLOCKS))
    message(FATAL_ERROR "${here}: expected SOURCES or BLOCKS")
  endif()
  if(ARG_BLOCKS)
    set(includes)
    set(calls)
    foreach(block ${ARG_BLOCKS})
      if(NOT TARGET ${block}_verilated OR NOT EXISTS ${CMAKE_CURRENT_BINARY_DIR}/${block}_block/${block}.cpp)
        message(FATAL_ERROR "${here}: weft_add_block() has made no block '${block}' here")
      endif()
      string(APPEND includes "#include \"${block}_block/${block}.cpp\"\n")
      string(APPEND calls " add_${block}(registry.blocks());")
      list(APPEND ARG_VERILATED ${block}_verilated)
    endforeach()
    set(ARG_SOURCES ${CMAKE_CURRENT_BINARY_DIR}/${name}_plugin.cpp)
    file(CONFIGURE OUTPUT ${ARG_SOURCES} @ONLY CONTENT [[// Plug-in of several blocks, written by weft_add_plugin().
#define WEFT_PLUGIN_OF_SEVERAL
@includes@
WEFT_PLUGIN([](weft::Registry& registry) {@calls@ })
]])
  endif()
  foreach(library ${ARG_VERILATED})
    if(NOT TARGET ${library})
      message(FATAL_ERROR "${here}: there is no target ${library}")
    endif()
    get_target_property(type ${library} TYPE)
    if(NOT type STREQUAL OBJECT_LIBRARY)
      message(FATAL_ERROR "${here}: ${library} is to be an OBJECT library")
    endif()
    set_target_properties(${library} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endforeach()
  weft_adapter(${name}_objects SOURCES ${ARG_SOURCES} VERILATED ${ARG_VERILATED})
  if(ARG_BLOCKS)
    target_include_directories(${name}_objects PRIVATE ${CMAKE_CURRENT_BINARY_DIR})
  endif()
  set(objects $<TARGET_OBJECTS:${name}_objects>)
  foreach(library ${ARG_VERILATED})
    list(APPEND objects $<TARGET_OBJECTS:${library}>)
  endforeach()
  weft_plugin_libraries(${name} ${objects})
  target_link_libraries(${name} PUBLIC weft::run)
endfunction()

# weft_check_call(<call, for messages> <name> <arguments that are none>)
function(weft_check_call here name unparsed)
  if(NOT name MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${here}: a name has letters, digits and underscores")
  endif()
  if(unparsed)
    message(FATAL_ERROR "${here}: ${unparsed} is no argument of it")
  endif()
endfunction()

# weft_adapter(<target> SOURCES a.cpp ... [VERILATED <object library> ...]): objects of C++ between Verilated classes and Weft.
function(weft_adapter target)
  cmake_parse_arguments(ARG "" "" "SOURCES;VERILATED" ${ARGN})
  add_library(${target} OBJECT ${ARG_SOURCES})
  set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(${target} PUBLIC weft::run PRIVATE ${ARG_VERILATED})
  if(ARG_VERILATED)
    target_compile_definitions(${target} PRIVATE VM_COVERAGE=0 VM_TRACE=1 VM_TRACE_VCD=0 VM_TRACE_FST=1 VM_SC=0)
    add_dependencies(${target} ${ARG_VERILATED})
  endif()
endfunction()

# weft_plugin_libraries(<name> <objects> ...): the static library <name>, and the plug-in.
function(weft_plugin_libraries name)
  add_library(${name} STATIC ${ARGN})
  add_library(${name}_plugin MODULE ${ARGN})
  # The program that loads it has Weft's code and Verilator's runtime; a second copy of them would not be the same.
  set_target_properties(${name}_plugin PROPERTIES OUTPUT_NAME ${name})
  set_target_properties(${name} ${name}_plugin PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# weft_clog2(<variable> <n>): bits of a number below n, at least 1.
function(weft_clog2 variable n)
  set(bits 1)
  while(n GREATER 2)
    math(EXPR n "(${n} + 1) / 2")
    math(EXPR bits "${bits} + 1")
  endwhile()
  set(${variable} ${bits} PARENT_SCOPE)
endfunction()

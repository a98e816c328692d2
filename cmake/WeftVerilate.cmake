# Classes that Verilator makes of SystemVerilog modules, in Weft's own build and in that of a user. VERILATOR_ROOT and
# VERILATOR_BIN are those that find_package(Verilator) sets.

set(WEFT_VERILATE_FOLDER ${CMAKE_CURRENT_LIST_DIR})

# weft_block_rtl(<variable> <place> <folder>): files of Weft's own RTL of a place (a file of blocks/) below a folder such
# as rtl/.
function(weft_block_rtl variable place folder)
  set(weft_complete OFF)
  include(${WEFT_VERILATE_FOLDER}/blocks/${place}.cmake)
  list(TRANSFORM weft_rtl REPLACE "(.+)" "${folder}/\\1.sv")
  set(${variable} ${weft_rtl} PARENT_SCOPE)
endfunction()

# weft_verilated_target(<target> [SYSTEMC] [COVERAGE]): what a target with Verilated classes needs beside them. Dependents get
# Verilator's headers as system headers: they are not ours to warn about.
function(weft_verilated_target target)
  cmake_parse_arguments(ARG "SYSTEMC;COVERAGE" "" "" ${ARGN})
  set(coverage 0)
  if(ARG_COVERAGE)
    set(coverage 1)
  endif()
  target_compile_options(${target} PRIVATE -w -g0)
  target_compile_definitions(${target} PRIVATE VM_COVERAGE=${coverage} VM_TRACE=1 VM_TRACE_VCD=0 VM_TRACE_FST=1)
  set(headers ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_include_directories(${target} SYSTEM PRIVATE ${headers} INTERFACE "$<BUILD_INTERFACE:${headers}>")
  if(ARG_SYSTEMC)
    target_compile_definitions(${target} PUBLIC VM_SC=1)
  else()
    target_compile_definitions(${target} PRIVATE VM_SC=0)
  endif()
endfunction()

# weft_verilate(<target> NAME <class suffix> TOP <module> SOURCES a.sv ... [PARAMETERS P=1 ...] [SYSTEMC] [NO_TRACE]
#               [PARTS <n>] [OPTIMIZE <option>] [ARGS <more arguments of verilator>] [PINS <place> <pins>])
# Adds class V<NAME> to a target that weft_verilated_target() has prepared: one module with these parameters. NO_TRACE:
# without waves. PARTS: a large one is compiled in so many files, and one for what runs once. OPTIMIZE: for the compiler,
# instead of the build type's. PINS: its pins are held against a list (check_pins.cmake).
# Verilator runs in the build, once, in the source folder: what it writes has the same text in all copies of the project.
function(weft_verilate target)
  cmake_parse_arguments(ARG "SYSTEMC;NO_TRACE" "NAME;TOP;PARTS;OPTIMIZE" "SOURCES;PARAMETERS;ARGS;PINS" ${ARGN})
  set(class V${ARG_NAME})
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}/${class})
  set(arguments --cc)
  set(headers rtl)
  if(ARG_SYSTEMC)
    set(arguments --sc)
    set(headers rtl_systemc)
  endif()
  get_target_property(modules ${target} WEFT_HAS_MODULES)
  if(NOT modules AND COMMAND weft_precompile)  # a library of the runtime alone has nothing to precompile for
    weft_precompile(${target} ${headers})
    set_target_properties(${target} PROPERTIES WEFT_HAS_MODULES ON)
  endif()
  if(NOT ARG_NO_TRACE)
    list(APPEND arguments --trace-fst)
  endif()
  foreach(parameter ${ARG_PARAMETERS})
    list(APPEND arguments -G${parameter})
  endforeach()
  set(sources)
  set(depends)
  foreach(source ${ARG_SOURCES})
    get_filename_component(source ${source} ABSOLUTE)
    list(APPEND depends ${source})
    file(RELATIVE_PATH source ${PROJECT_SOURCE_DIR} ${source})
    list(APPEND sources ${source})
  endforeach()
  if(NOT ARG_PARTS)
    set(ARG_PARTS 1)
  endif()
  set(parts)
  foreach(part RANGE 1 ${ARG_PARTS})
    list(APPEND parts ${directory}/${class}_whole_${part}.cpp)
  endforeach()
  if(ARG_OPTIMIZE)
    set_source_files_properties(${parts} PROPERTIES COMPILE_OPTIONS ${ARG_OPTIMIZE} SKIP_PRECOMPILE_HEADERS ON)
  endif()
  if(ARG_PARTS GREATER 1)
    set(slow ${directory}/${class}_whole_slow.cpp)
    set_source_files_properties(${slow} PROPERTIES COMPILE_OPTIONS -O0 SKIP_PRECOMPILE_HEADERS ON)
    list(APPEND parts ${slow})
  endif()
  set(scripts ${WEFT_VERILATE_FOLDER}/join_verilated.cmake)
  set(check)
  if(ARG_PINS)
    list(POP_FRONT ARG_PINS place)
    list(APPEND scripts ${WEFT_VERILATE_FOLDER}/check_pins.cmake)
    string(REPLACE ";" "," pins "${ARG_PINS}")
    set(check COMMAND ${CMAKE_COMMAND} -D HEADER=${directory}/${class}.h -D MODULE=${ARG_TOP} -D PLACE=${place}
              -D PINS=${pins} -P ${WEFT_VERILATE_FOLDER}/check_pins.cmake)
  endif()
  add_custom_command(OUTPUT ${parts} ${directory}/${class}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${directory}
    COMMAND ${VERILATOR_BIN} --prefix ${class} --top-module ${ARG_TOP} --Mdir ${directory} -Wall --assert -O3
            --x-assign fast --x-initial fast ${arguments} ${ARG_ARGS} ${sources}
    ${check}
    COMMAND ${CMAKE_COMMAND} -D DIRECTORY=${directory} -D CLASS=${class} -D PARTS=${ARG_PARTS}
            -P ${WEFT_VERILATE_FOLDER}/join_verilated.cmake
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DEPENDS ${depends} ${scripts} ${VERILATOR_BIN}
    COMMENT "Verilating ${class}" VERBATIM)
  target_sources(${target} PRIVATE ${parts})
  target_include_directories(${target} SYSTEM PRIVATE ${directory} INTERFACE $<BUILD_INTERFACE:${directory}>)
endfunction()

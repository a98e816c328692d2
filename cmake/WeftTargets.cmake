# Functions that declare Weft's targets: one static library per layer of sc_models, test and Verilated targets.

add_library(weft_options INTERFACE)
target_compile_options(weft_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Woverloaded-virtual)
# GCC 12 warns of "..." + string where there is nothing wrong (GCC bug 105651), as in the sockets of SystemC.
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(weft_options INTERFACE -Wno-restrict)
endif()

# Headers that every compiler run would parse again: compiled once per kind. Only headers of others, which stay as they
# are while one works; those of Weft would make each change of them a build of everything.
set(WEFT_PRECOMPILED_plain
  <algorithm> <array> <bit> <charconv> <cmath> <cstdint> <deque> <filesystem> <functional> <limits> <map> <memory>
  <numeric> <optional> <set> <span> <stdexcept> <string> <string_view> <unordered_map> <utility> <vector>
  <fmt/format.h> <fmt/ranges.h>)
set(WEFT_PRECOMPILED_systemc ${WEFT_PRECOMPILED_plain} <systemc> <tlm>)
set(WEFT_PRECOMPILED_rtl <verilated.h> <verilated_fst_c.h>)
set(WEFT_PRECOMPILED_rtl_systemc <verilated_sc.h> <verilated_fst_sc.h>)
set(WEFT_PRECOMPILED_test ${WEFT_PRECOMPILED_systemc} <gtest/gtest.h> <gmock/gmock.h> <nlohmann/json.hpp>)

# weft_precompile(<target> <kind>): the first target of a kind compiles its headers, the others use them. They all are
# position independent code of one sort: precompiled headers of -fPIC do not do for -fPIE.
function(weft_precompile target kind)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL EXECUTABLE)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  get_property(owner GLOBAL PROPERTY WEFT_PRECOMPILED_OWNER_${kind})
  if(owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
  else()
    target_precompile_headers(${target} PRIVATE ${WEFT_PRECOMPILED_${kind}})
    set_property(GLOBAL PROPERTY WEFT_PRECOMPILED_OWNER_${kind} ${target})
  endif()
endfunction()

# weft_library(<name> <kind of precompiled headers> [FOLDER <folder>] SOURCES a.cpp ... [DEPENDS target ...])
# Static library weft_<name> of one folder of sc_models, <name> unless told otherwise; DEPENDS are public.
function(weft_library folder kind)
  cmake_parse_arguments(ARG "" "FOLDER" "SOURCES;DEPENDS" ${ARGN})
  if(NOT ARG_FOLDER)
    set(ARG_FOLDER ${folder})
  endif()
  list(TRANSFORM ARG_SOURCES PREPEND ${ARG_FOLDER}/)
  add_library(weft_${folder} STATIC ${ARG_SOURCES})
  add_library(weft::${folder} ALIAS weft_${folder})
  set_target_properties(weft_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(weft_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sc_models>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weft>)
  target_link_libraries(weft_${folder} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:weft_options>)
  weft_precompile(weft_${folder} ${kind})
  # Several sources are compiled as one: the headers that they share take longer than they do.
  set_target_properties(weft_${folder} PROPERTIES UNITY_BUILD ${WEFT_UNITY} UNITY_BUILD_BATCH_SIZE 8)
  set_property(GLOBAL APPEND PROPERTY WEFT_LIBRARIES weft_${folder})
endfunction()

# weft_rtl_library(<name> [RUNTIME <other rtl library>] [SYSTEMC]): static library of Verilated classes, with Verilator's
# runtime or linked with another one that has it. SYSTEMC: the classes are SystemC modules. The runtime's ends of the
# process and its writes of waves go through the hooks of sc_models/cosim/runtime.
# Dependents get the generated headers and Verilator's as system headers: they are not ours to warn about.
function(weft_rtl_library name)
  cmake_parse_arguments(ARG "SYSTEMC" "RUNTIME" "" ${ARGN})
  add_library(${name} STATIC)
  string(REGEX REPLACE "^weft_" "" short ${name})
  add_library(weft::${short} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
  target_compile_options(${name} PRIVATE -w -g0)
  target_compile_definitions(${name} PRIVATE VM_COVERAGE=0 VM_TRACE=1 VM_TRACE_VCD=0 VM_TRACE_FST=1)
  set(headers ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd)
  target_include_directories(${name} SYSTEM PRIVATE ${headers} INTERFACE "$<BUILD_INTERFACE:${headers}>")
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PUBLIC SystemC::systemc)
    target_compile_definitions(${name} PUBLIC VM_SC=1)
  else()
    target_compile_definitions(${name} PRIVATE VM_SC=0)
  endif()
  if(ARG_RUNTIME)
    target_link_libraries(${name} PUBLIC ${ARG_RUNTIME})
  else()
    target_link_libraries(${name} PUBLIC weft::rtl_runtime ZLIB::ZLIB Threads::Threads)
    set(hooks ${PROJECT_SOURCE_DIR}/sc_models/cosim/runtime)
    set_source_files_properties(${VERILATOR_ROOT}/include/verilated.cpp PROPERTIES
      COMPILE_OPTIONS "-include;${hooks}/runtime_hooks.h")
    set_source_files_properties(${VERILATOR_ROOT}/include/verilated_fst_c.cpp PROPERTIES
      COMPILE_OPTIONS "-include;${hooks}/fst_stdio.h")
    set(runtime verilated.cpp verilated_threads.cpp verilated_fst_c.cpp)
    list(TRANSFORM runtime PREPEND ${VERILATOR_ROOT}/include/)
    set_source_files_properties(${runtime} PROPERTIES SKIP_PRECOMPILE_HEADERS ON)
    target_sources(${name} PRIVATE ${runtime})
    if(CMAKE_CXX_COMPILER_ID MATCHES Clang)  # asks the library whether atomics are free of locks
      target_link_libraries(${name} PUBLIC atomic)
    endif()
  endif()
  if(WEFT_SANITIZE)  # generated code: half of the time of compilation otherwise
    target_compile_options(${name} PRIVATE -fno-sanitize=all)
  endif()
endfunction()

# weft_verilate(<rtl library> NAME <class suffix> TOP <module> SOURCES a.sv ... [PARAMETERS P=1 ...] [SYSTEMC]
#               [NO_TRACE] [PARTS <n>] [OPTIMIZE <option>] [ARGS <more arguments of verilator>])
# Adds class V<NAME>: one module with these parameters. NO_TRACE: without waves. PARTS: a large one is compiled in so many
# files, and what runs once without optimization. OPTIMIZE: for the compiler, instead of the build type's.
# Verilator runs in the build, once, in the source folder: what it writes has the same text in all copies of the project.
function(weft_verilate target)
  cmake_parse_arguments(ARG "SYSTEMC;NO_TRACE" "NAME;TOP;PARTS;OPTIMIZE" "SOURCES;PARAMETERS;ARGS" ${ARGN})
  set(class V${ARG_NAME})
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}/${class})
  set(arguments --cc)
  set(headers rtl)
  if(ARG_SYSTEMC)
    set(arguments --sc)
    set(headers rtl_systemc)
  endif()
  get_target_property(modules ${target} WEFT_HAS_MODULES)
  if(NOT modules)  # a library of the runtime alone has nothing to precompile for
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
  foreach(source ${ARG_SOURCES})
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
  set(join ${PROJECT_SOURCE_DIR}/cmake/join_verilated.cmake)
  add_custom_command(OUTPUT ${parts} ${directory}/${class}.h
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${directory}
    COMMAND ${VERILATOR_BIN} --prefix ${class} --top-module ${ARG_TOP} --Mdir ${directory} -Wall --assert -O3
            --x-assign fast --x-initial fast ${arguments} ${ARG_ARGS} ${sources}
    COMMAND ${CMAKE_COMMAND} -D DIRECTORY=${directory} -D CLASS=${class} -D PARTS=${ARG_PARTS} -P ${join}
    WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} DEPENDS ${ARG_SOURCES} ${join} ${VERILATOR_BIN}
    COMMENT "Verilating ${class}" VERBATIM)
  target_sources(${target} PRIVATE ${parts})
  target_include_directories(${target} SYSTEM PRIVATE ${directory} INTERFACE $<BUILD_INTERFACE:${directory}>)
endfunction()

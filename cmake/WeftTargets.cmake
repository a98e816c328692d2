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
  <algorithm> <array> <atomic> <bit> <charconv> <chrono> <cmath> <cstdint> <cstring> <deque> <exception> <filesystem>
  <fstream> <functional> <limits> <list> <map> <memory> <numeric> <optional> <set> <span> <sstream> <stdexcept> <string>
  <string_view> <tuple> <unordered_map> <unordered_set> <utility> <variant> <vector>
  <boost/dynamic_bitset.hpp> <fmt/format.h> <fmt/ranges.h>)
set(WEFT_PRECOMPILED_systemc ${WEFT_PRECOMPILED_plain} <systemc> <tlm> <boost/container/small_vector.hpp>)
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

# weft_library(<name> <kind of precompiled headers> [FOLDER <folder>] [SELDOM] [UNITY <n>] SOURCES a.cpp ...
#              [DEPENDS target ...])
# Static library weft_<name> of one folder of sc_models, <name> unless told otherwise; DEPENDS are public. SELDOM: what runs
# before and after a simulation, compiled in three quarters of the time. UNITY: at most n sources are compiled as one,
# WEFT_UNITY_SOURCES unless told otherwise.
function(weft_library folder kind)
  cmake_parse_arguments(ARG "SELDOM" "FOLDER;UNITY" "SOURCES;DEPENDS" ${ARGN})
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
  if(ARG_SELDOM)
    target_compile_options(weft_${folder} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
  endif()
  # Several sources are compiled as one: the headers that they share take longer than they do.
  set(batch ${WEFT_UNITY_SOURCES})
  if(ARG_UNITY AND batch GREATER ARG_UNITY)
    set(batch ${ARG_UNITY})
  endif()
  set_target_properties(weft_${folder} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${batch})
  set_property(GLOBAL APPEND PROPERTY WEFT_LIBRARIES weft_${folder})
endfunction()

include(WeftVerilate)

# weft_rtl_library(<name> [RUNTIME <other rtl library>] [SYSTEMC] [COVERAGE]): static library of Verilated classes, with
# Verilator's runtime or linked with another one that has it. SYSTEMC: the classes are SystemC modules. COVERAGE: they may
# count what the RTL does. The runtime's ends of the process and its writes of waves go through the hooks of
# sc_models/cosim/runtime.
function(weft_rtl_library name)
  cmake_parse_arguments(ARG "SYSTEMC;COVERAGE" "RUNTIME" "" ${ARGN})
  add_library(${name} STATIC)
  set(coverage)
  if(ARG_COVERAGE)
    set(coverage COVERAGE)
  endif()
  string(REGEX REPLACE "^weft_" "" short ${name})
  add_library(weft::${short} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
  if(ARG_SYSTEMC)
    target_link_libraries(${name} PUBLIC SystemC::systemc)
    weft_verilated_target(${name} SYSTEMC ${coverage})
  else()
    weft_verilated_target(${name} ${coverage})
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
    set(runtime verilated.cpp verilated_threads.cpp verilated_fst_c.cpp verilated_cov.cpp)
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

# Functions that declare Weft's targets: one static library per folder of sc_models, test and Verilated targets.

add_library(weft_options INTERFACE)
target_compile_options(weft_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Wcast-qual -Woverloaded-virtual)

# weft_library(<folder> SOURCES a.cpp ... [DEPENDS target ...])
# Static library weft_<folder> of one folder of sc_models; DEPENDS are public.
function(weft_library folder)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  list(TRANSFORM ARG_SOURCES PREPEND ${folder}/)
  add_library(weft_${folder} STATIC ${ARG_SOURCES})
  add_library(weft::${folder} ALIAS weft_${folder})
  set_target_properties(weft_${folder} PROPERTIES EXPORT_NAME ${folder})
  target_include_directories(weft_${folder} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/sc_models>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/weft>)
  target_link_libraries(weft_${folder} PUBLIC ${ARG_DEPENDS} PRIVATE $<BUILD_INTERFACE:weft_options>)
  set_property(GLOBAL APPEND PROPERTY WEFT_LIBRARIES weft_${folder})
endfunction()

# weft_rtl_library(<name>): static library of Verilated classes; all of them share one copy of Verilator's runtime, whose
# ends of the process and whose writes of waves go through the hooks of sc_models/verilated.
# Dependents get the generated headers and Verilator's as system headers: they are not ours to warn about.
function(weft_rtl_library name)
  set(hooks ${PROJECT_SOURCE_DIR}/sc_models/verilated)
  set_source_files_properties(${VERILATOR_ROOT}/include/verilated.cpp PROPERTIES
    COMPILE_OPTIONS "-include;${hooks}/runtime_hooks.h")
  set_source_files_properties(${VERILATOR_ROOT}/include/verilated_fst_c.cpp PROPERTIES
    COMPILE_OPTIONS "-include;${hooks}/fst_stdio.h")
  add_library(${name} STATIC)
  string(REGEX REPLACE "^weft_" "" short ${name})
  add_library(weft::${short} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short})
  target_link_libraries(${name} PUBLIC weft::verilated ZLIB::ZLIB Threads::Threads)
  target_compile_options(${name} PRIVATE -w)
  target_include_directories(${name} SYSTEM INTERFACE
    $<BUILD_INTERFACE:${VERILATOR_ROOT}/include> $<BUILD_INTERFACE:${VERILATOR_ROOT}/include/vltstd>)
  if(WEFT_SANITIZE)  # Verilator's FST writer stores misaligned words on purpose
    target_compile_options(${name} PRIVATE -fno-sanitize=alignment)
  endif()
endfunction()

# weft_verilate(<rtl library> NAME <class suffix> TOP <module> SOURCES a.sv ... [PARAMETERS P=1 ...] [SYSTEMC]
#               [NO_TRACE] [ARGS <more arguments of verilator>])
# Adds class V<NAME>: one module with these parameters. NO_TRACE: without waves, which make large modules slow to
# compile.
function(weft_verilate target)
  cmake_parse_arguments(ARG "SYSTEMC;NO_TRACE" "NAME;TOP" "SOURCES;PARAMETERS;ARGS" ${ARGN})
  set(parameters)
  foreach(p ${ARG_PARAMETERS})
    list(APPEND parameters -G${p})
  endforeach()
  set(systemc)
  if(ARG_SYSTEMC)
    set(systemc SYSTEMC)
  endif()
  set(trace TRACE_FST)
  if(ARG_NO_TRACE)
    set(trace)
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}/V${ARG_NAME})
  verilate(${target} ${systemc} ${trace}
    SOURCES ${ARG_SOURCES} PREFIX V${ARG_NAME} TOP_MODULE ${ARG_TOP} DIRECTORY ${directory}
    VERILATOR_ARGS -Wall --assert -O3 --x-assign fast --x-initial fast ${parameters} ${ARG_ARGS}
    OPT_FAST -O2 OPT_SLOW -O1 OPT_GLOBAL -O2)
  # verilate() exports the generated folders as ordinary, absolute include folders: replace them.
  get_target_property(includes ${target} INTERFACE_INCLUDE_DIRECTORIES)
  list(FILTER includes INCLUDE REGEX "BUILD_INTERFACE")
  set_target_properties(${target} PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${includes}")
  target_include_directories(${target} SYSTEM INTERFACE $<BUILD_INTERFACE:${directory}>)
endfunction()

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

# weft_verilate(<target> NAME <class suffix> TOP <module> SOURCES a.sv ... [PARAMETERS P=1 ...] [SYSTEMC] [COVERAGE])
# Adds Verilated class V<NAME> of one module with these parameters to a static library target.
# All Verilated classes of a library share one copy of Verilator's runtime.
function(weft_verilate target)
  cmake_parse_arguments(ARG "SYSTEMC" "NAME;TOP" "SOURCES;PARAMETERS" ${ARGN})
  set(parameters)
  foreach(p ${ARG_PARAMETERS})
    list(APPEND parameters -G${p})
  endforeach()
  set(systemc)
  if(ARG_SYSTEMC)
    set(systemc SYSTEMC)
  endif()
  verilate(${target} ${systemc} TRACE_FST
    SOURCES ${ARG_SOURCES} PREFIX V${ARG_NAME} TOP_MODULE ${ARG_TOP}
    VERILATOR_ARGS -Wall --assert -O3 --x-assign fast --x-initial fast ${parameters}
    OPT_FAST -O2 OPT_SLOW -O1 OPT_GLOBAL -O2)
  # Generated code and Verilator's runtime are not ours to warn about.
  target_include_directories(${target} SYSTEM PRIVATE ${VERILATOR_ROOT}/include ${VERILATOR_ROOT}/include/vltstd
    ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/V${ARG_NAME}.dir)
endfunction()

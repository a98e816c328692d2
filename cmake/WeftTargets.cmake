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

# Finds SystemC and defines the target SystemC::systemc.
#
# Distribution packages of SystemC ship no CMake package, and their library is built for one C++ standard:
# it exports only that standard's `sc_api_version_*` symbol. Code of another standard links once the headers are
# pinned with SC_CPLUSPLUS; the probe below finds out whether that is needed and says so.
find_package(SystemCLanguage QUIET CONFIG)
if(SystemCLanguage_FOUND AND TARGET SystemC::systemc)
  set(SystemC_FOUND TRUE)
  set(SystemC_VERSION ${SystemCLanguage_VERSION})
  return()
endif()

find_path(SystemC_INCLUDE_DIR NAMES systemc
  HINTS ENV SYSTEMC_INCLUDE ENV SYSTEMC_HOME PATH_SUFFIXES include)
find_library(SystemC_LIBRARY NAMES systemc
  HINTS ENV SYSTEMC_LIBDIR ENV SYSTEMC_HOME PATH_SUFFIXES lib lib-linux64)
if(SystemC_INCLUDE_DIR AND EXISTS "${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h")
  file(STRINGS "${SystemC_INCLUDE_DIR}/sysc/kernel/sc_ver.h" _weft_scv
       REGEX "#define SC_VERSION_(MAJOR|MINOR|PATCH)[ \t]+[0-9]+")
  string(REGEX REPLACE ".*MAJOR[ \t]+([0-9]+).*MINOR[ \t]+([0-9]+).*PATCH[ \t]+([0-9]+).*" "\\1.\\2.\\3"
         SystemC_VERSION "${_weft_scv}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(SystemC REQUIRED_VARS SystemC_LIBRARY SystemC_INCLUDE_DIR
                                  VERSION_VAR SystemC_VERSION)

if(SystemC_FOUND AND NOT TARGET SystemC::systemc)
  add_library(SystemC::systemc UNKNOWN IMPORTED)
  set_target_properties(SystemC::systemc PROPERTIES
    IMPORTED_LOCATION "${SystemC_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${SystemC_INCLUDE_DIR}")
  include(CheckCXXSourceCompiles)
  # The header that asks for the library's version, not all of SystemC: it compiles in a tenth of the time.
  set(_weft_src "#include <sysc/kernel/sc_ver.h>\nextern \"C\" int sc_main(int, char**) { return 0; }\n")
  set(CMAKE_REQUIRED_LIBRARIES SystemC::systemc)
  check_cxx_source_compiles("${_weft_src}" WEFT_SYSTEMC_LINKS_AS_IS)
  if(NOT WEFT_SYSTEMC_LINKS_AS_IS)
    set(CMAKE_REQUIRED_DEFINITIONS -DSC_CPLUSPLUS=201703L)
    check_cxx_source_compiles("${_weft_src}" WEFT_SYSTEMC_LINKS_AS_CXX17)
    if(WEFT_SYSTEMC_LINKS_AS_CXX17)
      set_property(TARGET SystemC::systemc APPEND PROPERTY
                   INTERFACE_COMPILE_DEFINITIONS SC_CPLUSPLUS=201703L)
      message(STATUS "SystemC at ${SystemC_LIBRARY} is a C++17 build: SC_CPLUSPLUS=201703L set")
    else()
      message(FATAL_ERROR "SystemC at ${SystemC_LIBRARY} links neither with C++${CMAKE_CXX_STANDARD} nor as C++17")
    endif()
  endif()
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_DEFINITIONS)
endif()

# Finds Verilator: VERILATOR_BIN, VERILATOR_ROOT (the folder of its include/) and Verilator_VERSION. Verilator's own package
# also compiles a program per option of verilate(), which Weft does not use; that takes longer than the rest of a configuration.
if(NOT "$ENV{VERILATOR_ROOT}" STREQUAL "")  # of this configuration, not of later ones
  if(NOT "$ENV{VERILATOR_ROOT}" STREQUAL "${VERILATOR_ROOT}")
    unset(VERILATOR_BIN CACHE)
  endif()
  set(VERILATOR_ROOT $ENV{VERILATOR_ROOT})
  if(NOT EXISTS "${VERILATOR_ROOT}/include/verilated.h")
    message(WARNING "VERILATOR_ROOT of the environment: there is no ${VERILATOR_ROOT}/include/verilated.h")
  endif()
endif()
find_program(VERILATOR_BIN NAMES verilator_bin verilator_bin.exe HINTS ${VERILATOR_ROOT}/bin)
if(VERILATOR_BIN AND NOT VERILATOR_ROOT)
  get_filename_component(_weft_root ${VERILATOR_BIN} REALPATH)
  foreach(place ../share/verilator ..)  # installed, or where it was built
    get_filename_component(place ${_weft_root}/../${place} ABSOLUTE)
    if(EXISTS ${place}/include/verilated.h)
      set(VERILATOR_ROOT ${place} CACHE PATH "Verilator's files" FORCE)
      break()
    endif()
  endforeach()
endif()
if(EXISTS "${VERILATOR_ROOT}/include/verilated_config.h")
  file(STRINGS ${VERILATOR_ROOT}/include/verilated_config.h _weft_line REGEX "define VERILATOR_VERSION ")
  string(REGEX REPLACE ".*\"([0-9.]+).*" "\\1" Verilator_VERSION "${_weft_line}")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Verilator REQUIRED_VARS VERILATOR_BIN VERILATOR_ROOT Verilator_VERSION
                                  VERSION_VAR Verilator_VERSION)

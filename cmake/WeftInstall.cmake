# cmake --install: program, libraries, headers, RTL, and the package that find_package(weft) finds.
include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY WEFT_LIBRARIES)
add_library(weft_all INTERFACE)
add_library(weft::weft ALIAS weft_all)
set_target_properties(weft_all PROPERTIES EXPORT_NAME weft)
target_link_libraries(weft_all INTERFACE ${libraries})

install(TARGETS weft RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS weft_rtl_blocks LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/weft)
install(TARGETS ${libraries} weft_all weft_options EXPORT weft_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/sc_models/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft
        FILES_MATCHING PATTERN "*.h"
        PATTERN "cosim/runtime/fst_stdio.h" EXCLUDE PATTERN "cosim/runtime/runtime_hooks.h" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/generated/cosim/common/headers_hash.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft/cosim/common)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/rtl ${PROJECT_SOURCE_DIR}/configs DESTINATION ${CMAKE_INSTALL_DATADIR}/weft)
# JSON Schemas for editors, printed by the program that has just been installed.
install(CODE "set(weft ${CMAKE_INSTALL_BINDIR}/weft)\nset(schemas ${CMAKE_INSTALL_DATADIR}/weft/schema)")
install(CODE [[
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  file(MAKE_DIRECTORY "${prefix}/${schemas}")
  execute_process(COMMAND "${prefix}/${weft}" describe --json OUTPUT_VARIABLE all COMMAND_ERROR_IS_FATAL ANY)
  string(JSON kinds GET "${all}" schemas)
  string(REGEX MATCHALL "[a-z_-]+" kinds "${kinds}")
  foreach(kind ${kinds})
    message(STATUS "Installing: ${prefix}/${schemas}/${kind}.schema.json")
    execute_process(COMMAND "${prefix}/${weft}" describe --json-schema ${kind}
      OUTPUT_FILE "${prefix}/${schemas}/${kind}.schema.json" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
]])
# Completion of shells, in the places where they look; also printed by the program that has just been installed.
install(CODE "set(completions bash=${CMAKE_INSTALL_DATADIR}/bash-completion/completions/weft
                 zsh=${CMAKE_INSTALL_DATADIR}/zsh/site-functions/_weft
                 fish=${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/weft.fish)")
install(CODE [[
  foreach(entry ${completions})
    string(REGEX MATCH "^([a-z]+)=(.+)$" unused "${entry}")
    set(shell ${CMAKE_MATCH_1})
    set(file "${prefix}/${CMAKE_MATCH_2}")
    cmake_path(GET file PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    message(STATUS "Installing: ${file}")
    execute_process(COMMAND "${prefix}/${weft}" completion ${shell} OUTPUT_FILE "${file}" COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
]])
install(EXPORT weft_targets NAMESPACE weft:: FILE weftTargets.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
set(WEFT_RTL_INSTALLED ${CMAKE_INSTALL_DATADIR}/weft/rtl)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/weftConfig.cmake.in
  ${PROJECT_BINARY_DIR}/weftConfig.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft PATH_VARS WEFT_RTL_INSTALLED)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weftConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/weftConfig.cmake ${PROJECT_BINARY_DIR}/weftConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/FindSystemC.cmake ${PROJECT_SOURCE_DIR}/cmake/FindVerilator.cmake
  ${PROJECT_SOURCE_DIR}/cmake/WeftVerilate.cmake
  ${PROJECT_SOURCE_DIR}/cmake/WeftBlocks.cmake ${PROJECT_SOURCE_DIR}/cmake/check_pins.cmake ${PROJECT_SOURCE_DIR}/cmake/synthesize_vhdl.cmake
  ${PROJECT_SOURCE_DIR}/cmake/join_verilated.cmake DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/cmake/blocks DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/weft)

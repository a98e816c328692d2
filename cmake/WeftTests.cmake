# Functions that declare test programs.
find_package(GTest 1.12 REQUIRED CONFIG)
include(GoogleTest)

# GoogleTest runs inside sc_main: libsystemc, which all test programs are linked with, has main().
add_library(weft_test_main OBJECT
  ${PROJECT_SOURCE_DIR}/tests/support/sc_gtest_main.cpp ${PROJECT_SOURCE_DIR}/tb/sanitizer_options.cpp)
target_link_libraries(weft_test_main PUBLIC SystemC::systemc GTest::gtest GTest::gmock fmt::fmt PRIVATE weft_options)
weft_precompile(weft_test_main test)
# Tests spend their time in the libraries: they are compiled quickly instead, in two thirds of the time.
set(WEFT_TEST_OPTIONS $<$<CONFIG:Release,RelWithDebInfo>:-O1;-g0>)
if(WEFT_SANITIZE)
  set(WEFT_TEST_OPTIONS -O0 -g0)
endif()
target_compile_options(weft_test_main PRIVATE ${WEFT_TEST_OPTIONS})

# Seconds that a case and a whole program may take; with sanitizers or counters everything takes several times as long.
set(WEFT_CASE_TIMEOUT 120)
set(WEFT_PROGRAM_TIMEOUT 1800)
if(WEFT_SANITIZE OR WEFT_COVERAGE)
  set(WEFT_CASE_TIMEOUT 1200)
  set(WEFT_PROGRAM_TIMEOUT 3600)
endif()

# weft_test(<name> SOURCES ... DEPENDS ... [SYSTEMC])
# SYSTEMC: the cases use the kernel, which does not restart: ctest starts one process per case.
function(weft_test name)
  cmake_parse_arguments(ARG "SYSTEMC" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE weft_test_main ${ARG_DEPENDS} weft_options)
  target_compile_options(${name} PRIVATE ${WEFT_TEST_OPTIONS})
  weft_precompile(${name} test)
  set(environment SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1)
  if(ARG_SYSTEMC)
    gtest_discover_tests(${name} PROPERTIES TIMEOUT ${WEFT_CASE_TIMEOUT} ENVIRONMENT ${environment} DISCOVERY_TIMEOUT 60)
  else()
    # A report of failures alone: the hundreds of cases that pass would push them out of a log's end.
    add_test(NAME ${name} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES TIMEOUT ${WEFT_PROGRAM_TIMEOUT} ENVIRONMENT ${environment})
  endif()
endfunction()

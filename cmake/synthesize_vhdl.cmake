# cmake -D GHDL=<ghdl> -D TOP=<entity> -D SOURCES=a.vhd,... -D GENERICS=N=1,... -D OUTPUT=<file.v> -P synthesize_vhdl.cmake
# Verilog of a VHDL entity, by the synthesis of GHDL.
cmake_minimum_required(VERSION 3.25)
string(REPLACE "," ";" SOURCES "${SOURCES}")
string(REPLACE "," ";" GENERICS "${GENERICS}")
list(TRANSFORM GENERICS PREPEND -g)
execute_process(COMMAND ${GHDL} --synth --std=08 ${GENERICS} --out=verilog ${SOURCES} -e ${TOP}
                OUTPUT_VARIABLE text ERROR_VARIABLE said RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "GHDL cannot synthesize ${TOP}:\n${said}")
endif()
# GHDL 2.0 writes constants of more than 32 bits as texts of zeros and ones.
string(REGEX MATCHALL "\"[01]+\"" constants "${text}")
list(REMOVE_DUPLICATES constants)
foreach(constant ${constants})
  string(REPLACE "\"" "" bits ${constant})
  string(LENGTH ${bits} width)
  string(REPLACE ${constant} "${width}'b${bits}" text "${text}")
endforeach()
file(WRITE ${OUTPUT} "${text}")

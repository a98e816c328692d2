# cmake -D FOLDER=<sc_models> -D OUTPUT=<header> -P hash_headers.cmake
# Writes a number that goes by the text of all headers of a folder; the file stays as it is while the number does.
file(GLOB_RECURSE headers RELATIVE ${FOLDER} ${FOLDER}/*.h)
list(SORT headers)
set(all)
foreach(header IN LISTS headers)
  file(SHA256 ${FOLDER}/${header} hash)
  string(APPEND all "${header} ${hash}\n")
endforeach()
string(SHA256 hash "${all}")
string(SUBSTRING ${hash} 0 16 hash)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[#pragma once
// Written by CMake: the headers that this Weft was built with.

#include <cstdint>

namespace weft {

/// Goes by the text of Weft's headers.
inline constexpr std::uint64_t kHeaders = 0x@hash@;

}  // namespace weft
]])

#pragma once
// Files that are built into the program (cmake/WeftEmbed.cmake).

#include <cstddef>
#include <string_view>

/// Declares the bytes of `symbol`, outside of namespaces; embedded(symbol, symbol_end) gives them.
#define WEFT_EMBEDDED(symbol) extern "C" const char symbol[], symbol##_end[]

namespace weft {

inline std::string_view embedded(const char* begin, const char* end) {
  return {begin, static_cast<std::size_t>(end - begin)};
}

}  // namespace weft

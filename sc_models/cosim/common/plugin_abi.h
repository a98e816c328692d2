#pragma once
// Record of how a shared object with C++ of Weft was built, for the program that loads it.

#include <sysc/kernel/sc_ver.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/version.h"
#include "cosim/common/headers_hash.h"

namespace weft {

struct PluginAbi {
  static constexpr int kForm = 2;  ///< of this record, which stays first
  int form = kForm;
  char weft[32] = {};
  int compiler = 0;  ///< version of its ABI
  int strings = 0;   ///< which std::string
  int systemc = 0;
  int sanitizer = 0;
  std::uint64_t headers = 0;  ///< of Weft
};

/// In every translation unit its own: a copy of the program's would not be what the plug-in was built with.
namespace {
[[maybe_unused]] constexpr PluginAbi own_plugin_abi() {
  PluginAbi abi;
  for (std::size_t i = 0; kVersion[i] != 0 && i + 1 < sizeof abi.weft; ++i) abi.weft[i] = kVersion[i];
  abi.compiler = __GXX_ABI_VERSION;
#ifdef _GLIBCXX_USE_CXX11_ABI
  abi.strings = _GLIBCXX_USE_CXX11_ABI;
#endif
  abi.systemc = SC_VERSION_MAJOR * 10000 + SC_VERSION_MINOR * 100 + SC_VERSION_PATCH;
#ifdef __SANITIZE_ADDRESS__
  abi.sanitizer = 1;
#endif
  abi.headers = kHeaders;
  return abi;
}
}  // namespace

/// Why a shared object that was built so cannot be used by this program; empty when it can.
std::string plugin_misfit(const PluginAbi& its);

}  // namespace weft

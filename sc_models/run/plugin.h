#pragma once
// Plug-ins: shared objects that add RTL blocks, or families, to a program that loads them (`weft run --plugin
// libmine.so`). A plug-in has none of Weft's code in it; it uses that of the program, so it must have been built
// against the same headers with a compiler of the same ABI, which is checked before anything of it runs.
//
//   #include "run/plugin.h"
//   WEFT_PLUGIN([](weft::Registry& registry) { registry.blocks().packet.dtable.add("my_dtable", ...); })

#include <cstddef>
#include <cstdint>
#include <systemc>

#include "base/version.h"
#include "run/headers_hash.h"
#include "run/registry.h"

namespace weft {

/// What plug-in and program must have in common.
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

}  // namespace weft

/// Defines the entry of a plug-in: `registers` is called with the registry of the program. Weak, so that a program that
/// blocks are linked into may have the entries of several, which it does not use.
#define WEFT_PLUGIN(registers)                                                                      \
  extern "C" [[gnu::visibility("default"), gnu::weak]] const weft::PluginAbi weft_plugin_abi;       \
  extern "C" constinit const weft::PluginAbi weft_plugin_abi = weft::own_plugin_abi();              \
  extern "C" [[gnu::visibility("default"), gnu::weak]] void weft_plugin(weft::Registry& registry) { \
    (registers)(registry);                                                                          \
  }

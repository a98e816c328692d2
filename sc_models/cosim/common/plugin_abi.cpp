#include "cosim/common/plugin_abi.h"

#include <fmt/format.h>

#include <string_view>

namespace weft {
namespace {

std::string systemc_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

}  // namespace

std::string plugin_misfit(const PluginAbi& its) {
  const PluginAbi own = own_plugin_abi();
  if (its.form != own.form || std::string_view(its.weft) != own.weft) {
    return fmt::format("it was built for weft {}, this is weft {}",
                       its.form == own.form ? std::string_view(its.weft) : "of another generation", own.weft);
  }
  if (its.compiler != own.compiler || its.strings != own.strings) {
    return fmt::format("it was built with a compiler of ABI {}{}, this program with one of ABI {}{}", its.compiler,
                       its.strings != 0 ? "" : " (old strings)", own.compiler,
                       own.strings != 0 ? "" : " (old strings)");
  }
  if (its.systemc != own.systemc) {
    return fmt::format("it was built with SystemC {}, this program with {}", systemc_text(its.systemc),
                       systemc_text(own.systemc));
  }
  if (its.sanitizer != own.sanitizer) {
    return fmt::format("it was built {} the address sanitizer, this program {} it",
                       its.sanitizer != 0 ? "with" : "without", own.sanitizer != 0 ? "with" : "without");
  }
  if (its.headers != own.headers) {
    return fmt::format("it was built against other headers of weft {}; build it again", own.weft);
  }
  return "";
}

}  // namespace weft

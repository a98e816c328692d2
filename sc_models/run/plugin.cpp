#include "run/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"
#include "run/load_plugin.h"

namespace weft {
namespace {

std::string systemc_text(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

// Why a plug-in that was built so cannot be used; empty when it can.
std::string misfit(const PluginAbi& its) {
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

std::vector<std::string>& plugin_files() {
  static std::vector<std::string> files;
  return files;
}

}  // namespace

const std::vector<std::string>& loaded_plugins() { return plugin_files(); }

void load_plugin(const std::string& file, Registry& registry) {
  const auto refuse = [&](const std::string& why) {
    throw InputError({"command line"}, fmt::format("plug-in {}: {}", file, why));
  };
  if (!std::filesystem::exists(file)) refuse("there is no such file");
  // A name without a slash would be looked for in the folders of the system's libraries.
  void* const object = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    const char* const text = dlerror();
    refuse(fmt::format("cannot be loaded: {}", text == nullptr ? "no reason given" : text));
  }
  const auto* const abi = static_cast<const PluginAbi*>(dlsym(object, "weft_plugin_abi"));
  void* const entry = dlsym(object, "weft_plugin");
  if (abi == nullptr || entry == nullptr) refuse("it is a shared object, but no plug-in of weft (WEFT_PLUGIN)");
  if (const std::string why = misfit(*abi); !why.empty()) refuse(why);
  try {
    reinterpret_cast<void (*)(Registry&)>(entry)(registry);
  } catch (const std::exception& e) {
    refuse(e.what());
  }
  plugin_files().push_back(std::filesystem::absolute(file).string());
}

}  // namespace weft

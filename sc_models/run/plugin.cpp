#include "run/plugin.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <vector>

#include "base/diagnostics.h"
#include "cosim/common/elf_size.h"
#include "run/load_plugin.h"

namespace weft {
namespace {

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
  if (const std::string why = cut_short(file); !why.empty()) refuse(why);
  // A name without a slash would be looked for in the folders of the system's libraries.
  void* const object = dlopen(std::filesystem::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (object == nullptr) {
    const char* const text = dlerror();
    const std::string reason = text == nullptr ? "no reason given" : text;
    const bool symbol = reason.find("undefined symbol") != std::string::npos;
    refuse(fmt::format("cannot be loaded: {}{}", reason,
                       symbol ? " (a program of your own exports its symbols with ENABLE_EXPORTS)" : ""));
  }
  const auto* const abi = static_cast<const PluginAbi*>(dlsym(object, "weft_plugin_abi"));
  void* const entry = dlsym(object, "weft_plugin");
  if (abi == nullptr || entry == nullptr) refuse("it is a shared object, but no plug-in of weft (WEFT_PLUGIN)");
  if (const std::string why = plugin_misfit(*abi); !why.empty()) refuse(why);
  try {
    reinterpret_cast<void (*)(Registry&)>(entry)(registry);
  } catch (const std::exception& e) {
    refuse(e.what());
  }
  plugin_files().push_back(std::filesystem::absolute(file).string());
}

}  // namespace weft

#include "cosim/common/compiled_rtl.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>

#include "base/diagnostics.h"
#include "cosim/common/elf_size.h"
#include "cosim/common/plugin_abi.h"

namespace weft {
namespace {

constexpr const char* kFile = "libweft_rtl.so";

struct Maker {
  const std::type_info* type = nullptr;
  AnyMaker make = nullptr;
};

std::map<std::string, Maker, std::less<>>& makers() {
  static std::map<std::string, Maker, std::less<>> all;
  return all;
}

[[noreturn]] void refuse(const std::string& why) {
  throw InputError({kFile},
                   fmt::format("{} ('cmake --build build' makes it, as does scripts/run with arguments)", why));
}

// Beside the program in a build folder; in the folder of the libraries where both are installed.
void load() {
  std::error_code unknown;
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe", unknown).parent_path();
  if (unknown) refuse(fmt::format("the program does not find its own folder: {}", unknown.message()));
  for (const auto& file : {folder / kFile, folder / WEFT_RTL_FOLDER / kFile}) {
    if (!std::filesystem::exists(file)) continue;
    if (const std::string why = cut_short(file); !why.empty()) refuse(why);
    void* const object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (object == nullptr) {
      const char* const text = dlerror();
      refuse(fmt::format("cannot be loaded: {}", text == nullptr ? "no reason given" : text));
    }
    const auto* const abi = static_cast<const PluginAbi*>(dlsym(object, "weft_rtl_abi"));
    const std::string why = abi == nullptr ? "it has no RTL blocks of weft in it" : plugin_misfit(*abi);
    if (why.empty()) return;
    makers().clear();
    dlclose(object);
    refuse(why);
  }
  refuse(fmt::format("Weft's RTL blocks are not built: it is neither in {} nor in {}", folder.string(),
                     (folder / WEFT_RTL_FOLDER).lexically_normal().string()));
}

}  // namespace

void add_compiled_maker(std::string_view name, const std::type_info& type, AnyMaker maker) {
  makers().emplace(name, Maker{&type, maker});
}

AnyMaker compiled_maker(std::string_view name, const std::type_info& type) {
  if (makers().empty()) load();
  const auto found = makers().find(name);
  if (found == makers().end() || *found->second.type != type) {
    throw std::logic_error(fmt::format("there is no compiled RTL block '{}'", name));
  }
  return found->second.make;
}

}  // namespace weft

// Sweep files: what is read of them, with overrides from the command line.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/input_file.h"
#include "base/text.h"
#include "sweep/sweep_schema.h"

namespace weft {

namespace fs = std::filesystem;

namespace {

// A key of the configuration belongs into the section 'set'.
void check_overrides(const Overrides& overrides) {
  std::vector<std::string> keys;
  const std::shared_ptr<const SectionInfo> section = sweep_section().info();
  for (const KeyInfo& k : section->keys) keys.push_back(k.name);
  for (const std::string& assignment : overrides) {
    const std::string key = assignment.substr(0, assignment.find('='));
    const std::string first = key.substr(0, key.find('.'));
    const bool known = std::find(keys.begin(), keys.end(), first) != keys.end();
    if (known || key.size() == assignment.size() || first.empty() || !did_you_mean(first, keys).empty()) continue;
    throw InputError({"--set " + assignment},
                     fmt::format("'{}' is no key of a sweep file; if it is one of the configuration, set it at all "
                                 "points: --set 'set={{{}: {}}}'",
                                 first, key, assignment.substr(key.size() + 1)));
  }
}

SweepConfig finish(ConfigDocument document, const std::string& file, const std::string& folder,
                   const Overrides& overrides, bool quick) {
  Diagnostics diagnostics;
  if (const YamlEntry* fabric = document.root.find("fabric"); fabric && !document.root.find("sweep")) {
    throw InputError(fabric->key_where, "this is a configuration, not a sweep; a sweep file begins with 'sweep: " +
                                            fs::path(file).filename().string() + "'");
  }
  check_overrides(overrides);
  apply_overrides(document.root, overrides, diagnostics);
  const RawSweep raw = sweep_section().read(document.root, "", diagnostics);
  SweepConfig config = resolve_sweep(raw, document, diagnostics, quick);
  config.file = file;
  config.folder = fs::absolute(folder.empty() ? "." : folder).lexically_normal().string();
  diagnostics.sort();
  diagnostics.throw_if_errors();
  return config;
}

}  // namespace

SweepConfig load_sweep(const std::string& file, const Overrides& overrides, bool quick) {
  return read_sweep(load_document(file), file, overrides, quick);
}

SweepConfig read_sweep(ConfigDocument document, const std::string& file, const Overrides& overrides, bool quick) {
  const auto known = document.folders.find(file);
  const fs::path folder = known != document.folders.end() ? known->second : folder_of_input(file);
  return finish(std::move(document), file, folder.string(), overrides, quick);
}

SweepConfig parse_sweep(const std::string& text, const std::string& name, const std::string& folder,
                        const Overrides& overrides, bool quick) {
  return finish(parse_document(text, name, folder), name, folder, overrides, quick);
}

bool is_sweep_file(const ConfigDocument& document) { return document.root.find("sweep") != nullptr; }

}  // namespace weft

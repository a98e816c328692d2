#include "config/schema.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace weft {

std::string join_path(const std::string& section, const std::string& key) {
  return section.empty() ? key : section + "." + key;
}

namespace schema_detail {
namespace {

std::string place_name(const std::string& path) {
  return path.empty() ? "at the top level" : fmt::format("in section '{}'", path);
}

}  // namespace

void report_unknown_keys(const YamlNode& node, const SectionInfo& info, const std::string& path,
                         Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const KeyInfo& key : info.keys) known.push_back(key.name);
  for (const YamlEntry& entry : node.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    diagnostics.error(entry.key_where, fmt::format("unknown key '{}' {}{}", entry.key, place_name(path),
                                                   did_you_mean(entry.key, known)));
  }
}

void report_missing_key(const Location& where, const std::string& key, const std::string& path,
                        Diagnostics& diagnostics) {
  diagnostics.error(where, fmt::format("required key '{}' is missing {}", key, place_name(path)));
}

bool check_is_section(const YamlNode& node, const std::string& path, Diagnostics& diagnostics) {
  // A section whose keys are all commented out leaves nothing behind; it counts as empty.
  if (node.kind == YamlNode::Kind::map || node.kind == YamlNode::Kind::null) return true;
  diagnostics.error(node.where, fmt::format("{}: expected a section (keys and values), got {}", path, node.describe()));
  return false;
}

YamlNode parse_default(const std::string& yaml, const Location& where) {
  YamlNode node = parse_yaml(yaml, where.file);
  node.where = where;
  return node;
}

}  // namespace schema_detail
}  // namespace weft

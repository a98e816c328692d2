#include "schema/entries.h"

#include <algorithm>

namespace weft {
namespace {

bool is_taken_away(const YamlNode& value) {
  if (!is_from_set(value.where)) return false;
  if (value.kind == YamlNode::Kind::null) return true;
  return value.kind == YamlNode::Kind::map && !value.entries.empty() &&
         std::all_of(value.entries.begin(), value.entries.end(),
                     [](const YamlEntry& e) { return is_taken_away(e.value); });
}

}  // namespace

bool is_from_set(const Location& where) { return where.file.starts_with("--set "); }

const YamlEntry* entry_of(const YamlNode& section, const std::string& key, bool has_keys) {
  const YamlEntry* entry = section.find(key);
  if (entry == nullptr || !is_taken_away(entry->value)) return entry;
  return entry->value.kind == YamlNode::Kind::null || has_keys ? nullptr : entry;
}

}  // namespace weft

// Keys of FiC configurations that earlier versions called otherwise.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

constexpr const char* kRenamedTraffic = "traffic as a map is called 'sources' now";

// `file`: the one that all others are bases of.
void rename_traffic(YamlNode& section, const std::string& file, Diagnostics& found) {
  if (section.kind != YamlNode::Kind::map) return;
  YamlEntry* const traffic = section.find("traffic");
  YamlEntry* const sources = section.find("sources");
  if (traffic == nullptr) return;
  const auto in_base = [&](const YamlEntry& e) { return e.key_where.line > 0 && e.key_where.file != file; };
  // A file that takes away what its base has, but for the name: null would have taken the key away if it were the same.
  if (traffic->value.kind == YamlNode::Kind::null && sources != nullptr && in_base(*sources)) {
    found.warning(traffic->key_where, kRenamedTraffic);
    std::erase_if(section.entries, [](const YamlEntry& e) { return e.key == "traffic" || e.key == "sources"; });
    return;
  }
  if (traffic->value.kind != YamlNode::Kind::map) return;
  if (sources == nullptr) {
    found.warning(traffic->key_where, kRenamedTraffic);
    traffic->key = "sources";
    return;
  }
  const auto drop = [&] { std::erase_if(section.entries, [](const YamlEntry& e) { return e.key == "traffic"; }); };
  if (in_base(*traffic) && in_base(*sources) && traffic->key_where.file != sources->key_where.file) {
    found.error(traffic->key_where,
                fmt::format("traffic as a map is called 'sources' now, and another base has that ({}); "
                            "which of them wins cannot be told: call both 'sources'",
                            sources->key_where.text()));
    return drop();
  }
  found.warning(traffic->key_where, kRenamedTraffic);
  YamlNode& kept = sources->value;
  const bool mergeable = kept.kind == YamlNode::Kind::map || kept.kind == YamlNode::Kind::null;
  if (mergeable) {  // the reader reports anything else
    const Location where = kept.where;
    const bool from_base = sources->key_where.file == file && in_base(*traffic);  // overrides have no line
    if (from_base) std::swap(kept, traffic->value);
    merge_yaml(kept, std::move(traffic->value));
    kept.where = where;
  }
  drop();
}

}  // namespace

void renew_sources(YamlNode& root, Diagnostics& diagnostics) {
  Diagnostics found;
  const std::string file = root.where.file;
  rename_traffic(root, file, found);
  YamlEntry* const phases = root.find("phases");
  if (phases != nullptr && phases->value.kind == YamlNode::Kind::sequence) {
    for (YamlEntry& phase : phases->value.entries) rename_traffic(phase.value, file, found);
  }
  bool told = std::any_of(diagnostics.list().begin(), diagnostics.list().end(),
                          [](const Diagnostic& d) { return d.message == kRenamedTraffic; });
  found.sort();
  for (const Diagnostic& d : found.list()) {
    if (d.severity == Severity::error) {
      diagnostics.error(d.where, d.message);
    } else if (!std::exchange(told, true)) {
      diagnostics.warning(d.where, d.message);
    }
  }
}

}  // namespace weft

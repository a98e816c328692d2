// Keys of FiC configurations that earlier versions called otherwise.

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
  if (traffic == nullptr || traffic->value.kind != YamlNode::Kind::map) return;
  found.warning(traffic->key_where, kRenamedTraffic);
  YamlEntry* const sources = section.find("sources");
  if (sources == nullptr) {
    traffic->key = "sources";
    return;
  }
  YamlNode& kept = sources->value;
  const bool mergeable = kept.kind == YamlNode::Kind::map || kept.kind == YamlNode::Kind::null;
  if (mergeable) {  // the reader reports anything else
    const Location where = kept.where;
    const bool in_base = sources->key_where.file == file && traffic->key_where.file != file &&
                         traffic->key_where.line > 0;  // overrides have no line
    if (in_base) std::swap(kept, traffic->value);
    merge_yaml(kept, std::move(traffic->value));
    kept.where = where;
  }
  std::erase_if(section.entries, [](const YamlEntry& e) { return e.key == "traffic"; });
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
  const bool told = std::any_of(diagnostics.list().begin(), diagnostics.list().end(),
                                [](const Diagnostic& d) { return d.message == kRenamedTraffic; });
  if (told || found.list().empty()) return;
  found.sort();
  diagnostics.warning(found.list().front().where, kRenamedTraffic);
}

}  // namespace weft

#include "cli/any_config.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/fabrics.h"
#include "fabrics/optweb/keys/optweb_schema.h"
#include "fabrics/packet/keys/packet_schema.h"
#include "fabrics/tdm/keys/tdm_schema.h"
#include "studies/dlt/dlt_schema.h"

namespace weft {
namespace {

// Kinds of system by the words of earlier versions.
void renew_fabric(YamlNode& root) {
  YamlEntry* fabric = root.find("fabric");
  if (fabric == nullptr || fabric->value.kind != YamlNode::Kind::scalar) return;
  if (fabric->value.text == "fic") fabric->value.text = "tdm";
  if (fabric->value.text == "qos") fabric->value.text = "packet";
}

// A file whose `fabric` is something else than what is wanted gets one clear error instead of many about its keys.
void check_fabric(const ConfigDocument& document, const std::string& wanted, const std::string& file,
                  Diagnostics& own) {
  const YamlEntry* fabric = document.root.find("fabric");
  if (fabric == nullptr || fabric->value.text == wanted) return;
  const std::vector<std::string> names = fabric_names();
  if (std::find(names.begin(), names.end(), fabric->value.text) == names.end()) return;  // its type reports that
  own.error(fabric->value.where,
            fmt::format("fabric: '{}' is expected here, {} describes '{}'", wanted, file, fabric->value.text));
  own.throw_if_errors();
}

// Divisible loads have no messages that programs could send.
void check_programs(const ConfigDocument& document, const std::string& fabric, Diagnostics& own) {
  if (fabric != "dlt") return;
  for (const char* key : {"program_file", "program", "programs"}) {
    const YamlEntry* entry = document.root.find(key);
    if (entry == nullptr) continue;
    own.error(
        entry->key_where,
        fmt::format("{}: programs run on fabrics 'optweb', 'packet' and 'tdm', not on '{}'; it spreads a load without "
                    "programs",
                    key, fabric));
    own.throw_if_errors();
  }
}

// Keys at the top level of a document that a section knows.
std::size_t known_keys(const ConfigDocument& document, const SectionInfo& section) {
  const auto knows = [&](const YamlEntry& e) {
    return std::any_of(section.keys.begin(), section.keys.end(), [&](const KeyInfo& k) { return k.name == e.key; });
  };
  return static_cast<std::size_t>(std::count_if(document.root.entries.begin(), document.root.entries.end(), knows));
}

// A file without `fabric` may be one of another command: the one that knows most of its keys.
void check_task(const ConfigDocument& document, const std::string& file) {
  if (document.root.find("fabric") != nullptr) return;
  std::size_t most = 0;
  for (const Fabric& f : fabrics()) most = std::max(most, known_keys(document, *f.keys));
  const TaskFile* best = nullptr;
  const std::vector<TaskFile> tasks = task_files();
  for (const TaskFile& t : tasks) {
    const std::size_t known = known_keys(document, *t.keys);
    if (known <= most) continue;
    most = known;
    best = &t;
  }
  if (best == nullptr) return;
  throw InputError(document.root.where,
                   fmt::format("this file describes no network (it has no key 'fabric'), its keys are those of 'weft "
                               "{0}': weft {0} {1}",
                               best->command, file));
}

// Overrides, reads and checks; `read_section` gives the raw form, `resolve` the checked one.
template <class Config, class ReadSection, class Resolve>
Config finish(ConfigDocument document, const char* fabric, const std::string& file, const Overrides& overrides,
              Diagnostics& diagnostics, ReadSection&& section, Resolve&& resolve) {
  return read_checked(std::move(document), overrides, diagnostics, [&](ConfigDocument& d, Diagnostics& own) {
    renew_fabric(d.root);
    check_fabric(d, fabric, file, own);
    check_programs(d, fabric, own);
    const auto raw = section(fabric_names()).read(d.root, "", own);
    Config config = resolve(raw, d, own);
    config.file = file;
    return config;
  });
}

TdmConfig finish_tdm(ConfigDocument document, const std::string& file, const Overrides& overrides,
                     Diagnostics& diagnostics, const PlaceCheck& places = {}) {
  const auto resolve = [&](const RawTdm& raw, const ConfigDocument& d, Diagnostics& own) {
    TdmConfig config = resolve_tdm(raw, d, own);
    if (places && !own.ok() && config.topology_is_valid) places(config, own);
    return config;
  };
  return finish<TdmConfig>(std::move(document), "tdm", file, overrides, diagnostics, tdm_section, resolve);
}

PacketConfig finish_packet(ConfigDocument document, const std::string& file, const Overrides& overrides,
                           Diagnostics& diagnostics) {
  return finish<PacketConfig>(std::move(document), "packet", file, overrides, diagnostics, packet_section,
                              resolve_packet);
}

DltConfig finish_dlt(ConfigDocument document, const std::string& file, const Overrides& overrides,
                     Diagnostics& diagnostics) {
  return finish<DltConfig>(std::move(document), "dlt", file, overrides, diagnostics, dlt_section, resolve_dlt);
}

OptwebConfig finish_optweb(ConfigDocument document, const std::string& file, const Overrides& overrides,
                           Diagnostics& diagnostics) {
  return finish<OptwebConfig>(std::move(document), "optweb", file, overrides, diagnostics, optweb_section,
                              resolve_optweb);
}

}  // namespace

TdmConfig load_tdm_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_tdm(load_document(file), file, overrides, diagnostics);
}

TdmConfig parse_tdm_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_tdm(parse_document(text, name, folder), name, overrides, diagnostics);
}

PacketConfig parse_packet_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_packet(parse_document(text, name, folder), name, overrides, diagnostics);
}

OptwebConfig parse_optweb_config(const std::string& text, const std::string& name, const std::string& folder,
                                 const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_optweb(parse_document(text, name, folder), name, overrides, diagnostics);
}

DltConfig read_dlt_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          Diagnostics& diagnostics) {
  return finish_dlt(std::move(document), file, overrides, diagnostics);
}

AnyConfig load_any_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics,
                          const PlaceCheck& places) {
  return read_any_config(load_document(file), file, overrides, diagnostics, places);
}

AnyConfig read_any_config(ConfigDocument document, const std::string& file, const Overrides& overrides,
                          Diagnostics& diagnostics, const PlaceCheck& places) {
  renew_fabric(document.root);
  const YamlEntry* fabric = document.root.find("fabric");
  if (fabric != nullptr && fabric->value.text == "packet") {
    return finish_packet(std::move(document), file, overrides, diagnostics);
  }
  if (fabric != nullptr && fabric->value.text == "dlt") {
    return finish_dlt(std::move(document), file, overrides, diagnostics);
  }
  if (fabric != nullptr && fabric->value.text == "optweb") {
    return finish_optweb(std::move(document), file, overrides, diagnostics);
  }
  check_task(document, file);
  return finish_tdm(std::move(document), file, overrides, diagnostics, places);
}

}  // namespace weft

#include "config/config.h"

#include <fmt/format.h>

#include <algorithm>

#include "config/any_config.h"
#include "config/dlt_schema.h"
#include "config/fabrics.h"
#include "config/fic_schema.h"
#include "config/optweb_schema.h"
#include "config/qos_schema.h"

namespace weft {
namespace {

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
        fmt::format("{}: programs run on fabrics 'optweb', 'qos' and 'fic', not on '{}'; it spreads a load without "
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
  return read_checked(std::move(document), overrides, diagnostics, [&](const ConfigDocument& d, Diagnostics& own) {
    check_fabric(d, fabric, file, own);
    check_programs(d, fabric, own);
    const auto raw = section(fabric_names()).read(d.root, "", own);
    Config config = resolve(raw, d, own);
    config.file = file;
    return config;
  });
}

FicConfig finish_fic(ConfigDocument document, const std::string& file, const Overrides& overrides,
                     Diagnostics& diagnostics, const PlaceCheck& places = {}) {
  const auto resolve = [&](const RawFic& raw, const ConfigDocument& d, Diagnostics& own) {
    FicConfig config = resolve_fic(raw, d, own);
    if (places && !own.ok() && config.topology_is_valid) places(config, own);
    return config;
  };
  return finish<FicConfig>(std::move(document), "fic", file, overrides, diagnostics, fic_section, resolve);
}

QosConfig finish_qos(ConfigDocument document, const std::string& file, const Overrides& overrides,
                     Diagnostics& diagnostics) {
  return finish<QosConfig>(std::move(document), "qos", file, overrides, diagnostics, qos_section, resolve_qos);
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

SwitchImplementations FicSwitchConfig::implementations(SwitchId sw) const {
  SwitchImplementations out = all;
  for (const SwitchInstances& i : instances) {
    if (sw < i.range.first || sw > i.range.last) continue;
    out.slot_lut = i.slot_lut.value_or(out.slot_lut);
    out.data_path = i.data_path.value_or(out.data_path);
  }
  return out;
}

FicConfig load_config(const std::string& file, const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_fic(load_document(file), file, overrides, diagnostics);
}

FicConfig parse_config(const std::string& text, const std::string& name, const std::string& folder,
                       const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_fic(parse_document(text, name, folder), name, overrides, diagnostics);
}

QosConfig parse_qos_config(const std::string& text, const std::string& name, const std::string& folder,
                           const Overrides& overrides, Diagnostics& diagnostics) {
  return finish_qos(parse_document(text, name, folder), name, overrides, diagnostics);
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
  const YamlEntry* fabric = document.root.find("fabric");
  if (fabric != nullptr && fabric->value.text == "qos") {
    return finish_qos(std::move(document), file, overrides, diagnostics);
  }
  if (fabric != nullptr && fabric->value.text == "dlt") {
    return finish_dlt(std::move(document), file, overrides, diagnostics);
  }
  if (fabric != nullptr && fabric->value.text == "optweb") {
    return finish_optweb(std::move(document), file, overrides, diagnostics);
  }
  check_task(document, file);
  return finish_fic(std::move(document), file, overrides, diagnostics, places);
}

std::string to_string(Implementation v) {
  switch (v) {
    case Implementation::model:
      return "model";
    case Implementation::rtl:
      return "rtl";
    case Implementation::lockstep:
      return "lockstep";
  }
  return {};
}

std::string to_string(TopologyKind v) {
  switch (v) {
    case TopologyKind::mesh:
      return "mesh";
    case TopologyKind::torus:
      return "torus";
    case TopologyKind::tree:
      return "tree";
    case TopologyKind::full_mesh:
      return "full_mesh";
    case TopologyKind::dragonfly:
      return "dragonfly";
    case TopologyKind::file:
      return "file";
  }
  return {};
}

std::string to_string(RoutingAlgorithm v) {
  switch (v) {
    case RoutingAlgorithm::dimension_order:
      return "dimension_order";
    case RoutingAlgorithm::shortest_path:
      return "shortest_path";
    case RoutingAlgorithm::valiant:
      return "valiant";
    case RoutingAlgorithm::nearest_common_ancestor:
      return "nearest_common_ancestor";
  }
  return {};
}

std::string to_string(Allocator v) {
  switch (v) {
    case Allocator::first_fit:
      return "first_fit";
    case Allocator::longest_first:
      return "longest_first";
    case Allocator::dsatur:
      return "dsatur";
    case Allocator::search:
      return "search";
  }
  return {};
}

std::string to_string(Arrivals v) {
  switch (v) {
    case Arrivals::none:
      return "none";
    case Arrivals::saturated:
      return "saturated";
    case Arrivals::periodic:
      return "periodic";
    case Arrivals::poisson:
      return "poisson";
  }
  return {};
}

std::string to_string(SetupMode v) {
  switch (v) {
    case SetupMode::preset:
      return "preset";
    case SetupMode::central:
      return "central";
    case SetupMode::in_network:
      return "in_network";
  }
  return {};
}

}  // namespace weft

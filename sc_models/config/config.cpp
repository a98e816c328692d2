#include "config/config.h"

#include "config/fabrics.h"
#include "config/fic_schema.h"

namespace weft {
namespace {

FicConfig finish(ConfigDocument document, const std::string& file, const Overrides& overrides,
                 Diagnostics& diagnostics) {
  Diagnostics own;  // a caller's earlier errors are not this file's
  apply_overrides(document.root, overrides, own);
  const YamlEntry* fabric = document.root.find("fabric");
  if (fabric != nullptr && fabric->value.text == "dlt") {
    throw InputError(fabric->value.where, "fabric 'dlt' is not run in simulated time; use 'weft dlt'");
  }
  const RawFic raw = fic_section(fabric_names()).read(document.root, "", own);
  FicConfig config = resolve_fic(raw, document, own);
  config.file = file;
  own.sort();
  own.throw_if_errors();
  for (const Diagnostic& d : own.list()) diagnostics.warning(d.where, d.message);
  return config;
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
  return finish(load_document(file), file, overrides, diagnostics);
}

FicConfig parse_config(const std::string& text, const std::string& name, const std::string& folder,
                       const Overrides& overrides, Diagnostics& diagnostics) {
  return finish(parse_document(text, name, folder), name, overrides, diagnostics);
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
  }
  return {};
}

}  // namespace weft

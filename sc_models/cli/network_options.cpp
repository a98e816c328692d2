#include "cli/option_checks.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"
#include "network/keys/network_schema.h"
#include "network/topology/topologies.h"

namespace weft::cli {
namespace {

const TopologyKey& key_named(const std::string& name, const std::vector<SharedTopologyKey>& keys) {
  return std::find_if(keys.begin(), keys.end(), [&](const SharedTopologyKey& k) { return k.key.name == name; })->key;
}

}  // namespace

std::string option_of(const std::string& key) {
  std::string option = "--" + key;
  std::replace(option.begin(), option.end(), '_', '-');
  return option;
}

NetworkConfig read_network(const NetworkArguments& a, Diagnostics& diagnostics) {
  NetworkConfig out;
  const std::string kind = a.topology.empty() ? "mesh" : a.topology;
  const Location kind_at = a.topology.empty() ? Location{"command line"} : option_at("--topology", kind);
  if (const Topology* record = topologies().find(kind)) {
    const std::size_t before = diagnostics.errors();
    out.topology.kind = record;
    for (const TopologyKey& key : record->keys) {
      const auto given = a.keys.find(key.name);
      if (key.fallback || (given != a.keys.end() && !given->second.empty())) continue;
      diagnostics.error(kind_at, fmt::format("topology '{}' needs {}", kind, option_of(key.name)));
    }
    if (diagnostics.errors() > before) {
      for (const auto& [name, text] : a.keys) {
        const bool own = std::any_of(record->keys.begin(), record->keys.end(),
                                     [&name = name](const TopologyKey& key) { return key.name == name; });
        if (own || text.empty()) continue;
        diagnostics.error(option_at(option_of(name), text), fmt::format("does not belong to topology '{}'", kind));
      }
      return out;
    }
  }
  ConfigDocument document;
  document.root = {YamlNode::Kind::map, kind_at, {}, {}};
  document.root.entries.push_back({"kind", kind_at, scalar_node(kind, kind_at)});
  const std::vector<SharedTopologyKey> keys = topology_keys();
  for (const auto& [key, text] : a.keys) {
    if (text.empty()) continue;
    const Location where = option_at(option_of(key), text);
    const bool list = key_named(key, keys).form == TopologyKey::Form::numbers;
    document.root.entries.push_back({key, where, list ? list_node(text, where) : scalar_node(text, where)});
  }
  const std::size_t before = diagnostics.errors();
  Given<RawTopology> topology;
  topology.where = document.root.where;
  topology.value = topology_section(SwitchingKind::circuits).read(document.root, "topology", diagnostics);
  topology.given = topology.valid = true;
  out.topology = resolve_topology(topology, document, diagnostics);
  const bool topology_is_valid = diagnostics.errors() == before;

  YamlNode routing{YamlNode::Kind::map, document.root.where, {}, {}};
  const Location order = option_at("--order", a.order);
  if (!a.order.empty()) routing.entries.push_back({"order", order, list_node(a.order, order)});
  Section<RawRouting> section("routing", "");
  declare_routing(section, SwitchingKind::circuits);
  out.routing = resolve_routing(section.read(routing, "routing", diagnostics), routing.where, out.topology,
                                topology_is_valid, SwitchingKind::circuits, diagnostics);
  return out;
}

std::vector<GivenOption> given_options(const NetworkArguments& a) {
  std::vector<GivenOption> out;
  const auto add = [&](const std::string& option, const std::string& text) {
    if (!text.empty()) out.push_back({option, text});
  };
  add("--topology", a.topology);
  for (const auto& [key, text] : a.keys) add(option_of(key), text);
  add("--order", a.order);
  return out;
}

}  // namespace weft::cli

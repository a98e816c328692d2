#include "cli/option_checks.h"

#include <array>

#include "base/diagnostics.h"
#include "network/keys/network_schema.h"

namespace weft::cli {
namespace {

// An option and the key of the section `topology` it stands for; the order belongs to the section `routing`.
struct NetworkOption {
  const char* option;
  const char* key;
  std::string NetworkArguments::*text;
};
constexpr std::array<NetworkOption, 11> kOptions{{
    {"--topology", "kind", &NetworkArguments::topology},
    {"--dims", "dims", &NetworkArguments::dims},
    {"--arity", "arity", &NetworkArguments::arity},
    {"--levels", "levels", &NetworkArguments::levels},
    {"--switches", "switches", &NetworkArguments::switches},
    {"--groups", "groups", &NetworkArguments::groups},
    {"--routers-per-group", "routers_per_group", &NetworkArguments::routers_per_group},
    {"--nodes-per-router", "nodes_per_router", &NetworkArguments::nodes_per_router},
    {"--global-links", "global_links", &NetworkArguments::global_links},
    {"--file", "file", &NetworkArguments::file},
    {"--order", nullptr, &NetworkArguments::order},
}};

}  // namespace

NetworkConfig read_network(const NetworkArguments& a, Diagnostics& diagnostics) {
  NetworkConfig out;
  const std::string kind = a.topology.empty() ? "mesh" : a.topology;
  const Location kind_at = a.topology.empty() ? Location{"command line"} : option_at("--topology", kind);
  ConfigDocument document;
  document.root = {YamlNode::Kind::map, kind_at, {}, {}};
  document.root.entries.push_back({"kind", kind_at, scalar_node(kind, kind_at)});
  for (const NetworkOption& o : kOptions) {
    const std::string& text = a.*o.text;
    if (text.empty() || o.key == nullptr || o.text == &NetworkArguments::topology) continue;
    const Location where = option_at(o.option, text);
    const bool list = o.text == &NetworkArguments::dims;
    document.root.entries.push_back({o.key, where, list ? list_node(text, where) : scalar_node(text, where)});
  }
  const std::size_t before = diagnostics.errors();
  Given<RawTopology> topology;
  topology.where = document.root.where;
  topology.value = topology_section(NetworkUse::circuits).read(document.root, "topology", diagnostics);
  topology.given = topology.valid = true;
  out.topology = resolve_topology(topology, document, diagnostics);
  const bool topology_is_valid = diagnostics.errors() == before;

  YamlNode routing{YamlNode::Kind::map, document.root.where, {}, {}};
  const Location order = option_at("--order", a.order);
  if (!a.order.empty()) routing.entries.push_back({"order", order, list_node(a.order, order)});
  Section<RawRouting> section("routing", "");
  declare_routing(section, NetworkUse::circuits);
  out.routing = resolve_routing(section.read(routing, "routing", diagnostics), routing.where, out.topology,
                                topology_is_valid, NetworkUse::circuits, diagnostics);
  return out;
}

std::vector<GivenOption> given_options(const NetworkArguments& a) {
  std::vector<GivenOption> out;
  for (const NetworkOption& o : kOptions) {
    if (!(a.*o.text).empty()) out.push_back({o.option, &(a.*o.text)});
  }
  return out;
}

}  // namespace weft::cli

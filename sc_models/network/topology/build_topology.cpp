#include "network/topology/build_topology.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft {
namespace {

bool has_link(const Graph& graph, SwitchId sw) {
  for (PortId p = 0; p < graph.ports(sw); ++p) {
    if (graph.peer(sw, p).sw != kNoId) return true;
  }
  return false;
}

/// Marks everything reachable from `start` in `part`, returns the switches.
std::vector<SwitchId> reach(const Graph& graph, SwitchId start, std::vector<bool>& part) {
  std::vector<SwitchId> queue{start};
  part[start] = true;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (PortId p = 0; p < graph.ports(queue[i]); ++p) {
      const SwitchId peer = graph.peer(queue[i], p).sw;
      if (peer == kNoId || part[peer]) continue;
      part[peer] = true;
      queue.push_back(peer);
    }
  }
  return queue;
}

NodeId lowest_node(const Graph& graph, const std::vector<SwitchId>& switches) {
  NodeId lowest = kNoId;
  for (const SwitchId sw : switches) {
    for (PortId p = 0; p < graph.ports(sw); ++p) lowest = std::min(lowest, graph.node_at(sw, p));
  }
  return lowest;
}

}  // namespace

Graph build_topology(const TopologyConfig& config) {
  if (config.kind == nullptr) throw InputError(config.where, "the network has no kind of topology");
  const Topology& kind = *config.kind;
  if (const std::string problem = size_problem(config); !problem.empty()) {
    throw InputError(config.where, kind.name + ": " + problem);
  }
  Graph graph = kind.build(config);
  graph.name_ports(kind.port_name);
  Location where = config.where;
  for (const TopologyKey& key : kind.keys) {
    if (key.form == TopologyKey::Form::file) where = {config.file(key.name), 0, 0};
  }
  Diagnostics diagnostics;
  check_graph(graph, where, diagnostics);
  diagnostics.throw_if_errors();
  return graph;
}

void check_graph(const Graph& graph, const Location& where, Diagnostics& diagnostics) {
  if (graph.nodes() == 0) {
    diagnostics.error(where, "the network has no end nodes");
    return;
  }
  constexpr std::size_t kMost = 10;  // a broken file should not print a page per switch
  std::size_t found = 0;
  std::vector<bool> seen(graph.switches());
  const NodeId home = 0;
  reach(graph, graph.attachment(home).sw, seen);
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    if (seen[sw]) continue;
    const std::vector<SwitchId> part = reach(graph, sw, seen);
    if (++found > kMost) continue;
    const NodeId node = lowest_node(graph, part);
    if (!has_link(graph, sw)) {
      diagnostics.error(where, fmt::format("sw[{}] has no link to another switch", sw));
    } else if (node != kNoId) {
      diagnostics.error(where,
                        fmt::format("node {} (at sw[{}]) cannot be reached from node {}: {} switches with it are cut "
                                    "off",
                                    node, graph.attachment(node).sw, home, part.size()));
    } else {
      diagnostics.error(where, fmt::format("sw[{}] cannot be reached from node {}: {} switches with it are cut off", sw,
                                           home, part.size()));
    }
  }
  if (found > kMost) diagnostics.error(where, fmt::format("and {} more parts are cut off", found - kMost));
}

}  // namespace weft

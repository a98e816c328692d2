#include "algorithms/optweb/neighbours.h"

#include <algorithm>
#include <utility>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::optweb {
Graph network_graph(std::uint32_t nodes, std::uint32_t groups) {
  if (groups == 1) return build_topology(topology_config("full_mesh", {{"switches", nodes}}));
  return build_topology(topology_config("dragonfly", {{"groups", groups},
                                                      {"routers_per_group", nodes / groups},
                                                      {"nodes_per_router", 1U},
                                                      {"global_links", groups - 1}}));
}

Neighbours::Neighbours(std::uint32_t nodes, std::uint32_t groups) : Neighbours(network_graph(nodes, groups)) {}

Neighbours::Neighbours(const Graph& graph)
    : groups_(std::max(1U, graph.dragonfly().groups)), places_(graph.nodes() / groups_) {
  Links links;
  links.dmac.assign(std::size_t{nodes()} * nodes(), kNone);
  for (NodeId n = 0; n < nodes(); ++n) {
    std::vector<NodeId> peers{n};
    for (PortId p = 0; p < graph.ports(n); ++p) {
      if (const SwitchId peer = graph.peer(n, p).sw; peer != kNoId) peers.push_back(peer);
    }
    std::sort(peers.begin(), peers.end(), [&](NodeId a, NodeId b) {
      return std::pair(group(a) != group(n), a) < std::pair(group(b) != group(n), b);
    });
    links.dmacs = static_cast<std::uint32_t>(peers.size());
    for (std::size_t d = 0; d < peers.size(); ++d) {
      links.dmac[std::size_t{n} * nodes() + peers[d]] = static_cast<std::uint16_t>(d);
    }
    links.peer.insert(links.peer.end(), peers.begin(), peers.end());
  }
  links_ = std::make_shared<const Links>(std::move(links));
}

bool Neighbours::clique(const std::vector<NodeId>& nodes) const {
  const auto same = [&](auto&& of) {
    return std::all_of(nodes.begin(), nodes.end(), [&](NodeId n) { return of(n) == of(nodes.front()); });
  };
  return same([&](NodeId n) { return group(n); }) || same([&](NodeId n) { return place(n); });
}

std::optional<NodeGrid> grid_of(const Neighbours& neighbours, const std::vector<NodeId>& nodes) {
  NodeGrid grid;
  for (const NodeId n : nodes) {
    if (grid.groups.empty() || grid.groups.back() != neighbours.group(n)) grid.groups.push_back(neighbours.group(n));
    if (grid.groups.size() == 1) grid.places.push_back(neighbours.place(n));
  }
  std::size_t i = 0;
  if (nodes.size() != grid.groups.size() * grid.places.size()) return std::nullopt;
  for (const std::uint32_t g : grid.groups) {
    for (const std::uint32_t p : grid.places) {
      if (nodes[i++] != neighbours.node(g, p)) return std::nullopt;
    }
  }
  return grid;
}

}  // namespace weft::optweb

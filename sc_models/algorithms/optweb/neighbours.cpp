#include "algorithms/optweb/neighbours.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "network/topology/build_topology.h"
#include "network/topology/topologies.h"

namespace weft::optweb {
namespace {

// Three levels or more: ports of a switch are its node, then the other places level by level.
Graph hierarchy_graph(const std::vector<std::uint32_t>& levels) {
  std::uint32_t nodes = 1;
  std::uint32_t ports = 1;
  for (const std::uint32_t places : levels) {
    nodes *= places;
    ports += places - 1;
  }
  Graph graph(fmt::format("hierarchy {}", fmt::join(levels, "x")));
  for (NodeId n = 0; n < nodes; ++n) graph.attach_node({graph.add_switch(static_cast<PortId>(ports)), 0});
  for (NodeId n = 0; n < nodes; ++n) {
    std::uint32_t stride = 1;
    std::uint32_t first = 1;
    for (const std::uint32_t places : levels) {
      const std::uint32_t place = n / stride % places;
      // A switch skips itself, so a later place is its port of that number less one.
      for (std::uint32_t p = place + 1; p < places; ++p) {
        graph.connect({n, static_cast<PortId>(first + p - 1)},
                      {n + (p - place) * stride, static_cast<PortId>(first + place)});
      }
      stride *= places;
      first += places - 1;
    }
  }
  return graph;
}

}  // namespace

Graph network_graph(const std::vector<std::uint32_t>& levels) {
  if (levels.size() == 1) return build_topology(topology_config("full_mesh", {{"switches", levels[0]}}));
  if (levels.size() > 2) return hierarchy_graph(levels);
  return build_topology(topology_config("dragonfly", {{"groups", levels[1]},
                                                      {"routers_per_group", levels[0]},
                                                      {"nodes_per_router", 1U},
                                                      {"global_links", levels[1] - 1}}));
}

Neighbours::Neighbours(const std::vector<std::uint32_t>& levels) {
  Links links;
  links.nodes = 1;
  for (const std::uint32_t places : levels) {
    links.levels.push_back({places, links.nodes});
    links.nodes *= places;
  }
  const Graph graph = network_graph(levels);
  links.dmac.assign(std::size_t{links.nodes} * links.nodes, kNone);
  for (NodeId n = 0; n < links.nodes; ++n) {
    std::vector<NodeId> peers{n};
    for (PortId p = 0; p < graph.ports(n); ++p) {
      if (const SwitchId peer = graph.peer(n, p).sw; peer != kNoId) peers.push_back(peer);
    }
    // The level at which a neighbour differs; the node itself is one of its group.
    const auto level = [&](NodeId peer) {
      std::size_t l = 0;
      while (l + 1 < levels.size() && n / links.levels[l + 1].stride != peer / links.levels[l + 1].stride) ++l;
      return l;
    };
    std::sort(peers.begin(), peers.end(),
              [&](NodeId a, NodeId b) { return std::pair(level(a), a) < std::pair(level(b), b); });
    links.dmacs = static_cast<std::uint32_t>(peers.size());
    for (std::size_t d = 0; d < peers.size(); ++d) {
      links.dmac[std::size_t{n} * links.nodes + peers[d]] = static_cast<std::uint16_t>(d);
    }
    links.peer.insert(links.peer.end(), peers.begin(), peers.end());
  }
  links_ = std::make_shared<const Links>(std::move(links));
}

std::uint32_t Neighbours::hops(NodeId a, NodeId b) const {
  if (a == b) return 0;
  if (dmac(a, b)) return 1;
  std::uint32_t out = 0;
  for (std::size_t l = 0; l < levels(); ++l) out += place(a, l) != place(b, l) ? 1 : 0;
  return out;
}

std::vector<NodeId> Neighbours::route(NodeId from, NodeId to) const {
  std::vector<NodeId> out{from};
  for (std::size_t l = levels(); l-- > 0;) {
    if (place(from, l) != place(to, l)) out.push_back(toward(out.back(), l, to));
  }
  return out;
}

std::size_t Neighbours::spanned(const std::vector<NodeId>& nodes) const {
  std::size_t differ = 0;
  for (std::size_t l = 0; l < levels(); ++l) {
    const auto same = [&](NodeId n) { return place(n, l) == place(nodes.front(), l); };
    differ += std::all_of(nodes.begin(), nodes.end(), same) ? 0 : 1;
  }
  return std::max<std::size_t>(1, differ);
}

}  // namespace weft::optweb

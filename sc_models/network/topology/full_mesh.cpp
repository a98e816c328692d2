#include "network/topology/full_mesh.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {
namespace {

TopologySize full_mesh_size(const TopologyConfig& config) {
  const std::uint32_t n = config.number("switches");
  return {n, n, n};
}

Graph build_full_mesh(const TopologyConfig& config) {
  const std::uint32_t n = config.number("switches");
  if (n == 0) throw InputError(config.where, "a full mesh has at least 1 switch, not 0");
  Graph graph(fmt::format("full mesh of {}", n));
  for (std::uint32_t s = 0; s < n; ++s) graph.attach_node({graph.add_switch(static_cast<PortId>(n)), 0});
  for (SwitchId a = 0; a < n; ++a) {
    // Switch a skips itself, so b > a is its b-th peer, and a is b's peer a + 1.
    for (SwitchId b = a + 1; b < n; ++b) graph.connect({a, static_cast<PortId>(b)}, {b, static_cast<PortId>(a + 1)});
  }
  return graph;
}

}  // namespace

const Topology& full_mesh_topology() {
  static const Topology record{
      .name = "full_mesh",
      .meaning = "a link between every two switches",
      .keys = {{.name = "switches", .meaning = "number of switches, each linked to all others", .least = 2}},
      .size = full_mesh_size,
      .build = build_full_mesh,
      .packet_routing = "shortest_path",
  };
  return record;
}

}  // namespace weft

#include "network/topology/full_mesh.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

Graph build_full_mesh(const TopologyConfig& config) {
  const std::uint32_t n = config.switches;
  constexpr std::uint32_t kMost = 8192;  // 64 million directed links
  if (n == 0 || n > kMost) {
    throw InputError(config.where, fmt::format("a full mesh has 1 to {} switches, not {}", kMost, n));
  }
  Graph graph(fmt::format("full mesh of {}", n));
  for (std::uint32_t s = 0; s < n; ++s) graph.attach_node({graph.add_switch(static_cast<PortId>(n)), 0});
  for (SwitchId a = 0; a < n; ++a) {
    // Switch a skips itself, so b > a is its b-th peer, and a is b's peer a + 1.
    for (SwitchId b = a + 1; b < n; ++b) graph.connect({a, static_cast<PortId>(b)}, {b, static_cast<PortId>(a + 1)});
  }
  return graph;
}

}  // namespace weft

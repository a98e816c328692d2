#pragma once
// What mesh and torus share: switches numbered x + k_x*y + k_x*k_y*z + ..., config.nodes_per_switch end nodes on each
// (node n on switch n / nodes_per_switch) at its first ports, then per dimension config.trunk ports in + direction and
// as many in - direction. With one node and no trunks: port 0 the node, 1 + 2d the + port, 2 + 2d the - port.

#include "network/graph.h"
#include "network/topology/topology_config.h"

namespace weft {

/// Most switches any builder makes; larger numbers are more likely slips of the pen than networks.
inline constexpr std::uint64_t kMostSwitches = 1u << 20;
/// Most ports of a switch of a grid.
inline constexpr std::uint64_t kMostPorts = 4096;

/// Throws InputError at config.where when there are no dimensions, one is 0, or there are too many switches.
Graph build_grid(const TopologyConfig& config, bool torus);

}  // namespace weft

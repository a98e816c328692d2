#pragma once
// Common parts of mesh and torus: switches numbered x + k_x*y + k_x*k_y*z + ..., nodes_per_switch end nodes on each
// (node n on switch n / nodes_per_switch) at its first ports, then per dimension a trunk of links in + direction and
// one in - direction. With one node and no trunks: port 0 the node, 1 + 2d the + port, 2 + 2d the - port.

#include <string>
#include <vector>

#include "network/topology/topology.h"

namespace weft {

/// Keys of mesh and torus; `least` switches in each dimension.
std::vector<TopologyKey> grid_keys(std::uint32_t least);
TopologySize grid_size(const TopologyConfig& config);
/// Throws InputError at config.where when there are no dimensions or one is 0.
Graph build_grid(const TopologyConfig& config, bool torus);
/// "+x", "-d4"; empty for ports of nodes.
std::string grid_port_name(const Graph& graph, SwitchId sw, PortId port);
/// x, y, z, w, then d4, d5, ...
std::string dimension_name(std::size_t dimension);

}  // namespace weft

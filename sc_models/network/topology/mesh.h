#pragma once
// Mesh of any number of dimensions (config.dims, x first). Numbering and ports: network/topology/grid.h. The ports
// that would leave the mesh at its borders exist and stay free, so all switches have 1 + 2 * dimensions
// ports. Links: sum over the dimensions of (k_d - 1) * (switches / k_d), full duplex.

#include "network/graph.h"
#include "network/topology/topology_config.h"

namespace weft {

Graph build_mesh(const TopologyConfig& config);

}  // namespace weft

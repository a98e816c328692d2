#pragma once
// Mesh of any number of dimensions (key dims, x first). Numbering and ports: network/topology/grid.h. The ports
// that would leave the mesh at its borders exist and stay free, so all switches have 1 + 2 * dimensions
// ports. Links: sum over the dimensions of (k_d - 1) * (switches / k_d), full duplex.

#include "network/topology/topology.h"

namespace weft {

const Topology& mesh_topology();

}  // namespace weft

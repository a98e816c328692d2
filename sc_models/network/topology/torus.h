#pragma once
// Torus of any number of dimensions (config.dims, x first). Numbering and ports: network/topology/grid.h. In a
// dimension of size 2 two parallel full-duplex links join the two switches, the + port of each with the -
// port of the other; in a dimension of size 1 there are no links. Links: switches per dimension of size 2 or
// more, full duplex.

#include "network/graph.h"
#include "network/topology/topology_config.h"

namespace weft {

Graph build_torus(const TopologyConfig& config);

}  // namespace weft

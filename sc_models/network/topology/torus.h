#pragma once
// Torus of any number of dimensions (key dims, x first). Numbering and ports: network/topology/grid.h. In a
// dimension of size 2 two parallel full-duplex links join the two switches, the + port of each with the -
// port of the other; in a dimension of size 1 there are no links. Links: switches per dimension of size 2 or
// more, full duplex.

#include "network/topology/topology.h"

namespace weft {

const Topology& torus_topology();

}  // namespace weft

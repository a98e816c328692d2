#pragma once
// Fully connected network (key switches n): every switch has a link to every other one. One end node of
// the same number per switch at port 0; ports 1..n-1 lead to the other switches in ascending order. Links: n
// * (n - 1) / 2, full duplex.

#include "network/topology/topology.h"

namespace weft {

const Topology& full_mesh_topology();

}  // namespace weft

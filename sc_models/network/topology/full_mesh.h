#pragma once
// Fully connected network (config.switches n): every switch has a link to every other one. One end node of
// the same number per switch at port 0; ports 1..n-1 lead to the other switches in ascending order. Links: n
// * (n - 1) / 2, full duplex.

#include "network/graph.h"
#include "network/topology/topology_config.h"

namespace weft {

/// Throws InputError at config.where when there are no or too many switches.
Graph build_full_mesh(const TopologyConfig& config);

}  // namespace weft

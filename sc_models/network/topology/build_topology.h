#pragma once
// Networks from their configuration, and the checks every network must pass.

#include "base/diagnostics.h"
#include "network/graph.h"
#include "network/topology/topology.h"

namespace weft {

/// Builds the network. Throws InputError (with the location of the topology section or of the line in the topology
/// file) when it is too large, cannot be built, or check_graph finds an error.
Graph build_topology(const TopologyConfig& config);

/// Disconnected parts (from any node's switch), switches without any link, no nodes.
void check_graph(const Graph& graph, const Location& where, Diagnostics& diagnostics);

}  // namespace weft

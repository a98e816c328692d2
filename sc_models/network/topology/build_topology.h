#pragma once
// Networks from their configuration, and the checks every network must pass.

#include "base/diagnostics.h"
#include "network/graph.h"
#include "network/topology/topology_config.h"

namespace weft {

/// Builds the network. Throws InputError (with the location of the topology section or of the line in the
/// topology file) when it cannot be built or check_graph finds an error. File in topology/<kind>.cpp; one
/// entry per kind in the table of builders.cpp.
Graph build_topology(const TopologyConfig& config);

/// Disconnected parts (from any node's switch), switches without any link, no nodes.
void check_graph(const Graph& graph, const Location& where, Diagnostics& diagnostics);

}  // namespace weft

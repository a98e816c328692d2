#pragma once
// Picture of a network on the page of its report: where its switches, nodes and links stand, by the kind of network.

#include "network/graph.h"
#include "observe/page/page_data.h"

namespace weft {

/// Meshes and tori as grids, planes of further dimensions side by side; trees level by level; dragonflies as a circle
/// of groups; small networks of other kinds laid out by forces, large ones as a circle.
NetworkView network_view(const Graph& graph);

/// The same without nodes, as each stands on its switch: links are called "node[0] -> node[1]".
NetworkView direct_network_view(const Graph& graph);

}  // namespace weft

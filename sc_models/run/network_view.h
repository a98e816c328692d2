#pragma once
// Picture of a network on the page of its report: where its switches, nodes and links stand, by the kind of network.

#include <string>
#include <vector>

#include "network/graph.h"
#include "observe/page/page_data.h"

namespace weft {

/// Meshes and tori as grids, planes of further dimensions side by side; trees level by level; dragonflies as a circle
/// of groups; small networks of other kinds laid out by forces, large ones as a circle.
NetworkView network_view(const Graph& graph);

/// Directed link of a network that a study knows as a list.
struct NamedLink {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::string name;  ///< as in its line of the table `links`
};

/// Picture of nodes and links between them. `dims`: of a mesh or torus; empty: as for other networks.
NetworkView link_view(const std::string& title, std::uint32_t nodes, const std::vector<std::uint32_t>& dims,
                      const std::vector<NamedLink>& links);

/// As network_view() without nodes, as each stands on its switch: links are called "node[0] -> node[1]".
NetworkView direct_network_view(const Graph& graph);

}  // namespace weft

#pragma once
// Shortest-path routing on any network: each switch has, per destination node, the port of one minimal path.
// Of the minimal ports of a switch, in port order, destination d takes number (d mod how many there are), so
// destinations spread over parallel links, and the route to a node is the same from everywhere it is joined. At level l
// of a k-ary n-tree, from 0, it is number (d / k^l mod k): digit by digit, over all roots (D-mod-k; Zahavi, 2010). A
// destination's column (2 bytes per switch) is found by one breadth-first search when it is first asked for, so large
// networks pay only for the destinations in use.

#include <cstdint>
#include <vector>

#include "network/routing/routing_algorithm.h"

namespace weft {

/// Routing of circuits throws InputError at config.where when an order of dimensions is given, which has no meaning
/// here; next() may be called from several threads.
extern const RoutingAlgorithm kShortestPath;

/// Hops to a switch from all others; kNoId where there is no route.
std::vector<std::uint32_t> distances_to(const Graph& graph, SwitchId goal);

}  // namespace weft

#pragma once
// Shortest-path routing on any network: each switch has, per destination node, the port of one minimal path.
// Of the minimal ports of a switch, in port order, destination d takes number (d mod how many there are), so
// destinations spread over parallel links and over the roots of a tree, and the route to a node is the same
// from everywhere it is joined. A destination's column (2 bytes per switch) is found by one breadth-first
// search when it is first asked for, so large networks pay only for the destinations in use.

#include <memory>

#include "network/routing/routing.h"
#include "network/routing/routing_config.h"

namespace weft {

/// Throws InputError at config.where when an order of dimensions is given, which has no meaning here. Keeps a
/// reference to `graph`. next() may be called from several threads.
std::unique_ptr<CircuitRouting> make_shortest_path(const RoutingConfig& config, const Graph& graph);

}  // namespace weft

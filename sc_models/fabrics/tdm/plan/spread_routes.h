#pragma once
// Routes of circuits that are in place at the same time: among the routes of least length those that share few links.

#include <cstdint>
#include <vector>

#include "algorithms/slots/flow.h"
#include "network/graph.h"
#include "network/routing/routing.h"
#include "network/routing/routing_algorithm.h"

namespace weft {

/// The flows on other routes of least length, at most `most` looked at for each circuit to one destination; multicasts
/// keep theirs. A circuit changes its route as long as this makes the sum of the squared loads of the links smaller.
std::vector<Flow> spread_routes(const Graph& graph, const CircuitRouting& routing, const RoutingAlgorithm& algorithm,
                                std::vector<Flow> flows, std::uint32_t most);

}  // namespace weft

#pragma once
// Several routes of the same, least length between two end nodes, for circuits that do not fit on the first one.

#include <vector>

#include "network/routing/routing.h"
#include "network/routing/routing_config.h"

namespace weft {

/// The route of `routing` first, then others as long as it, at most `most` in all and each once: on a mesh or torus
/// with dimension-order routing the routes of the other orders of dimensions, lexicographically; then, and elsewhere,
/// further shortest paths, those through lower ports first. They need not be free of deadlock together, which does not
/// matter to circuits. Each is a list of directed links as route() gives them.
std::vector<std::vector<LinkId>> minimal_routes(const Graph& graph, const CircuitRouting& routing,
                                                const RoutingAlgorithm& algorithm, NodeId from, NodeId to,
                                                std::size_t most);

}  // namespace weft

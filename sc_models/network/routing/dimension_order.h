#pragma once
// Dimension-order routing on meshes and tori: the coordinates of the destination are corrected one dimension
// after the other, in a configurable order (default: lowest dimension first, which is what the FiC paper's
// Fig. 10 needs). On a torus every dimension takes the shorter way round; when both are equally long, the +
// direction. Deadlock-free on meshes; circuits have no deadlock anywhere. Source: Dally and Towles,
// Principles and Practices of Interconnection Networks, 2003, section 8.4.

#include <memory>

#include "network/routing/routing_algorithm.h"

namespace weft {

extern const RoutingAlgorithm kDimensionOrder;

/// Routing of circuits. Throws InputError at config.where when the network is not a grid or config.order is not a
/// permutation of its dimensions (empty: x, y, z, ...). Keeps a reference to `graph`.
std::unique_ptr<CircuitRouting> make_dimension_order(const RoutingConfig& config, const Graph& graph);

}  // namespace weft

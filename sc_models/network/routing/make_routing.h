#pragma once
// Routing algorithms by description: of circuits and of packets. A new algorithm is a file pair and a line in
// make_routing.cpp.

#include <memory>

#include "network/routing/packet_routing.h"
#include "network/routing/packet_routing_options.h"
#include "network/routing/routing.h"
#include "network/routing/routing_config.h"

namespace weft {

/// Throws InputError when the algorithm does not fit the network (dimension order without a grid, an order
/// that is not a permutation of the dimensions).
std::unique_ptr<CircuitRouting> make_routing(const RoutingConfig& config, const Graph& graph);

/// Throws InputError at options.routing.where when the algorithm does not fit the network. Keeps a reference to
/// `graph`.
std::unique_ptr<PacketRouting> make_packet_routing(const PacketRoutingOptions& options, const Graph& graph);

}  // namespace weft

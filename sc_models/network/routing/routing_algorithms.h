#pragma once
// Routing algorithms that configurations can name, of circuits and of packets. A new one is a file pair and a line in
// routing_algorithms.cpp.

#include <memory>

#include "base/records.h"
#include "network/routing/routing_algorithm.h"

namespace weft {

using RoutingAlgorithms = Records<RoutingAlgorithm>;
RoutingAlgorithms& routing_algorithms();

/// Throws InputError when the algorithm does not fit the network (dimension order without a grid, an order
/// that is not a permutation of the dimensions).
std::unique_ptr<CircuitRouting> make_routing(const RoutingConfig& config, const Graph& graph);

/// Throws InputError at options.routing.where when the algorithm does not fit the network. Keeps a reference to
/// `graph`.
std::unique_ptr<PacketRouting> make_packet_routing(const PacketRoutingOptions& options, const Graph& graph);

/// Routes of packets while links are down. All references must outlive the result; `routing` is of the same options.
std::unique_ptr<FaultyRouting> make_faulty_routing(const PacketRouting& routing, const PacketRoutingOptions& options,
                                                   const Graph& graph, const LinkState& links);

}  // namespace weft

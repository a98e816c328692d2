#pragma once
// Routing algorithm as one record: its word and meaning, the networks it is for, and how it routes circuits, packets,
// and packets round links that are down. The records stand in network/routing/routing_algorithms.h.

#include <memory>
#include <string_view>

#include "network/graph.h"
#include "network/routing/link_state.h"
#include "network/routing/packet_routing.h"
#include "network/routing/routing.h"
#include "network/routing/routing_config.h"

namespace weft {

struct RoutingAlgorithm {
  std::string_view name;     ///< word of routing.algorithm
  std::string_view meaning;  ///< for descriptions
  /// Networks it is for; null: any. `needs` says which: "a mesh or torus".
  bool (*suits)(NetworkForm form) = nullptr;
  std::string_view needs = {};
  bool takes_order = false;   ///< the key routing.order
  bool takes_roots = false;   ///< the key routing.roots
  bool takes_rings = false;   ///< the keys routing.ring and routing.ties, on a torus
  bool takes_trunks = false;  ///< of packets, any port of a trunk of the topology: the key routing.trunk

  /// Routing of circuits; null: it has no fixed route for a circuit.
  std::unique_ptr<CircuitRouting> (*circuits)(const RoutingConfig& config, const Graph& graph) = nullptr;
  /// Routing of packets; keeps a reference to `graph`. Throws InputError when it does not suit the network.
  std::unique_ptr<PacketRouting> (*packets)(const PacketRoutingOptions& options, const Graph& graph) = nullptr;
  /// Lane classes of packets; null: one. 0: only the network can tell.
  std::uint32_t (*lane_classes)(const PacketRoutingOptions& options, NetworkForm form) = nullptr;
  /// Reason for several lane classes, for messages about VLs: "one per root".
  std::string_view why_classes = {};
  /// Routing of packets while links are down; null: messages keep to their one route. References must outlive it.
  std::unique_ptr<FaultyRouting> (*detours)(const PacketRoutingOptions& options, const Graph& graph,
                                            const LinkState& links) = nullptr;
};

/// Whether an algorithm is for networks of that form.
inline bool suits(const RoutingAlgorithm& algorithm, NetworkForm form) {
  return algorithm.suits == nullptr || algorithm.suits(form);
}

}  // namespace weft

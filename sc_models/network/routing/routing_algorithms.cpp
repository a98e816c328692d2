#include "network/routing/routing_algorithms.h"

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "network/routing/dimension_order.h"
#include "network/routing/minimal_vl_per_hop.h"
#include "network/routing/shortest_path.h"
#include "network/routing/tree_packet_routing.h"
#include "network/routing/up_down.h"

namespace weft {
namespace {

// Messages keep to the route they have with all links up; of a trunk any link that is up will do.
class FixedRoutes final : public FaultyRouting {
 public:
  FixedRoutes(const PacketRouting& routing, const LinkState& links) : routing_(routing), links_(links) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    RouteStep step = routing_.step(place, to, choice);
    for (std::uint32_t i = 0; i < step.count; ++i) {
      if (links_.up(place.at, static_cast<PortId>(step.first + i))) return step;
    }
    step.count = 0;
    return step;
  }
  void update() override {}

 private:
  const PacketRouting& routing_;
  const LinkState& links_;
};

}  // namespace

RoutingAlgorithms& routing_algorithms() {
  static RoutingAlgorithms table{
      &kDimensionOrder, &kShortestPath, &kValiant, &kNearestCommonAncestor, &kMinimalVlPerHop, &kUpDown,
  };
  return table;
}

std::unique_ptr<CircuitRouting> make_routing(const RoutingConfig& config, const Graph& graph) {
  if (config.algorithm->circuits == nullptr) {
    throw InputError(config.where, fmt::format("routing {} has no fixed route for a circuit", config.algorithm->name));
  }
  return config.algorithm->circuits(config, graph);
}

std::unique_ptr<PacketRouting> make_packet_routing(const PacketRoutingOptions& options, const Graph& graph) {
  return options.routing.algorithm->packets(options, graph);
}

std::unique_ptr<FaultyRouting> make_faulty_routing(const PacketRouting& routing, const PacketRoutingOptions& options,
                                                   const Graph& graph, const LinkState& links) {
  const RoutingAlgorithm& algorithm = *options.routing.algorithm;
  if (algorithm.detours != nullptr) return algorithm.detours(options, graph, links);
  return std::make_unique<FixedRoutes>(routing, links);
}

}  // namespace weft

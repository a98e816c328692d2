#include "network/routing/make_routing.h"

#include <utility>

#include "base/diagnostics.h"
#include "network/routing/dimension_order.h"
#include "network/routing/grid_packet_routing.h"
#include "network/routing/shortest_path.h"
#include "network/routing/tree_packet_routing.h"

namespace weft {
namespace {

// One way to each destination, as circuits have it.
class SinglePathPacketRouting final : public PacketRouting {
 public:
  explicit SinglePathPacketRouting(std::unique_ptr<CircuitRouting> routing) : routing_(std::move(routing)) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override {
    return {routing_->next(place.at, to)};
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  bool single_path() const override { return true; }

 private:
  std::unique_ptr<CircuitRouting> routing_;
};

}  // namespace

std::unique_ptr<CircuitRouting> make_routing(const RoutingConfig& config, const Graph& graph) {
  switch (config.algorithm) {
    case RoutingAlgorithm::dimension_order:
      return make_dimension_order(config, graph);
    case RoutingAlgorithm::valiant:
    case RoutingAlgorithm::nearest_common_ancestor:
      throw InputError(config.where, "routing " + to_string(config.algorithm) + " has no fixed route for a circuit");
    case RoutingAlgorithm::shortest_path:
      return make_shortest_path(config, graph);
  }
  throw InputError(config.where, "unknown routing algorithm");
}

std::unique_ptr<PacketRouting> make_packet_routing(const PacketRoutingOptions& options, const Graph& graph) {
  switch (options.routing.algorithm) {
    case RoutingAlgorithm::dimension_order:
      return make_grid_packet_routing(options, graph);
    case RoutingAlgorithm::valiant:
    case RoutingAlgorithm::nearest_common_ancestor:
      return make_tree_packet_routing(options, graph);
    case RoutingAlgorithm::shortest_path:
      break;
  }
  return std::make_unique<SinglePathPacketRouting>(make_routing(options.routing, graph));
}

}  // namespace weft

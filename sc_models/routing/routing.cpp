#include "routing/routing.h"

#include <fmt/format.h>

#include "routing/dimension_order.h"
#include "routing/shortest_path.h"

namespace weft {

std::unique_ptr<Routing> make_routing(const RoutingConfig& config, const Graph& graph) {
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

void throw_lost_route(NodeId from, NodeId to) {
  throw RunError(
      fmt::format("routing from node {} to node {} does not arrive: it loops or ends at a free port", from, to));
}

std::vector<LinkId> route(const Graph& graph, const Routing& routing, NodeId from, NodeId to) {
  std::vector<LinkId> links;
  visit_route(graph, routing, from, to, [&links](LinkId link) { links.push_back(link); });
  return links;
}

}  // namespace weft

#include "network/routing/minimal_routes.h"

#include <algorithm>
#include <numeric>

#include "network/routing/dimension_order.h"
#include "network/routing/shortest_path.h"

namespace weft {
namespace {

using Route = std::vector<LinkId>;

void add(std::vector<Route>& routes, Route route) {
  if (route.size() != routes.front().size()) return;
  if (std::find(routes.begin(), routes.end(), route) == routes.end()) routes.push_back(std::move(route));
}

void add_other_orders(const Graph& graph, NodeId from, NodeId to, std::size_t most, std::vector<Route>& routes) {
  RoutingConfig config;
  config.order.resize(graph.grid().dims.size());
  std::iota(config.order.begin(), config.order.end(), 0U);
  do {
    add(routes, route(graph, *make_dimension_order(config, graph), from, to));
  } while (routes.size() < most && std::next_permutation(config.order.begin(), config.order.end()));
}

// Depth first, lowest ports first; every step comes nearer to the goal, so no path is a dead end.
class ShortestPaths {
 public:
  ShortestPaths(const Graph& graph, NodeId from, NodeId to, std::size_t most, std::vector<Route>& routes)
      : graph_(graph),
        goal_(graph.attachment(to)),
        distance_(distances_to(graph, goal_.sw)),
        most_(most),
        routes_(routes),
        path_{graph.injection_link(from)} {
    walk(graph.attachment(from).sw);
  }

 private:
  void walk(SwitchId at) {
    if (at == goal_.sw) {
      Route route = path_;
      route.push_back(graph_.out_link(goal_.sw, goal_.port));
      add(routes_, std::move(route));
      return;
    }
    for (PortId p = 0; p < graph_.ports(at) && routes_.size() < most_; ++p) {
      const SwitchId peer = graph_.peer(at, p).sw;
      if (peer == kNoId || distance_[peer] + 1 != distance_[at]) continue;
      path_.push_back(graph_.out_link(at, p));
      walk(peer);
      path_.pop_back();
    }
  }

  const Graph& graph_;
  PortRef goal_;
  std::vector<std::uint32_t> distance_;
  std::size_t most_;
  std::vector<Route>& routes_;
  Route path_;
};

}  // namespace

std::vector<Route> minimal_routes(const Graph& graph, const CircuitRouting& routing, const RoutingAlgorithm& algorithm,
                                  NodeId from, NodeId to, std::size_t most) {
  std::vector<Route> routes{route(graph, routing, from, to)};
  if (routes.size() >= most) return routes;
  if (&algorithm == &kDimensionOrder) add_other_orders(graph, from, to, most, routes);
  // The orders of dimensions are few and turn in few places: others may still be up when all of these are down.
  if (routes.size() < most) ShortestPaths(graph, from, to, most, routes);
  return routes;
}

}  // namespace weft

#include "network/routing/routing_algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

#include "base/diagnostics.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/dimension_order.h"
#include "network/routing/minimal_vl_per_hop.h"
#include "network/routing/shortest_path.h"
#include "network/routing/tree_packet_routing.h"
#include "network/routing/up_down.h"

namespace weft {
namespace {

// A routing whose messages may take any link of a bundle.
class BundleRouting final : public PacketRouting {
 public:
  BundleRouting(const PacketRouting& routing, const Graph& graph) : routing_(routing), graph_(graph) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    return routing_.step(place, to, choice);
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    routing_.each_step(place, to, [&](const RouteStep& step) {
      const std::span<const LinkId> bundle = graph_.bundle(graph_.out_link(place.at, step.first));
      if (bundle.empty()) visit(step);
      for (const LinkId link : bundle) {
        RouteStep other = step;
        other.first = graph_.driver(link).port;
        visit(other);
      }
    });
  }
  std::uint32_t lane_classes() const override { return routing_.lane_classes(); }
  bool single_path() const override { return false; }

 private:
  const PacketRouting& routing_;
  const Graph& graph_;
};

// Messages keep to the switches they pass with all links up. Of a trunk any link that is up will do, and so of a
// bundle, where that leaves no circle of buffers.
class FixedRoutes final : public FaultyRouting {
 public:
  FixedRoutes(const PacketRouting& routing, const Graph& graph, const LinkState& links)
      : routing_(routing),
        graph_(graph),
        links_(links),
        bundles_(graph.has_bundles() && routing.any_parallel_link() &&
                 (routing.acyclic_by_form() || find_deadlock(BundleRouting(routing, graph), graph).empty())) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    RouteStep step = routing_.step(place, to, choice);
    for (std::uint32_t i = 0; i < step.count; ++i) {
      if (links_.up(place.at, static_cast<PortId>(step.first + i))) return step;
    }
    if (bundles_) {
      const std::span<const LinkId> bundle = graph_.bundle(graph_.out_link(place.at, step.first));
      const auto is_up = [&](LinkId link) { return links_.up(link); };
      const auto left = static_cast<std::size_t>(std::count_if(bundle.begin(), bundle.end(), is_up));
      if (left > 0) {  // the destinations of the link that is down, each n-th of n, are spread over them
        std::size_t skip = to / bundle.size() % left;
        step.first = graph_
                         .driver(*std::find_if(bundle.begin(), bundle.end(),
                                               [&](LinkId link) { return is_up(link) && skip-- == 0; }))
                         .port;
        return step;
      }
    }
    step.count = 0;
    return step;
  }
  void update() override {}

 private:
  const PacketRouting& routing_;
  const Graph& graph_;
  const LinkState& links_;
  const bool bundles_;
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
  return std::make_unique<FixedRoutes>(routing, graph, links);
}

}  // namespace weft

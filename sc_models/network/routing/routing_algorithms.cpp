#include "network/routing/routing_algorithms.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/diagnostics.h"
#include "network/routing/deadlock_check.h"
#include "network/routing/dimension_order.h"
#include "network/routing/minimal_vl_per_hop.h"
#include "network/routing/shortest_path.h"
#include "network/routing/tree_packet_routing.h"
#include "network/routing/up_down.h"

namespace weft {
namespace {

// Ports of a switch that lead to the same switch as one of them, ascending; to a node: that one.
std::vector<PortId> parallel_ports(const Graph& graph, SwitchId sw, PortId port) {
  const SwitchId to = graph.peer(sw, port).sw;
  if (to == kNoId) return {port};
  std::vector<PortId> out;
  for (PortId p = 0; p < graph.ports(sw); ++p) {
    if (graph.peer(sw, p).sw == to) out.push_back(p);
  }
  return out;
}

bool has_parallel_links(const Graph& graph) {
  for (SwitchId s = 0; s < graph.switches(); ++s) {
    std::vector<SwitchId> peers;
    for (PortId p = 0; p < graph.ports(s); ++p) {
      if (const SwitchId peer = graph.peer(s, p).sw; peer != kNoId) peers.push_back(peer);
    }
    std::sort(peers.begin(), peers.end());
    if (std::adjacent_find(peers.begin(), peers.end()) != peers.end()) return true;
  }
  return false;
}

// A routing whose messages may take any of parallel links.
class ParallelRouting final : public PacketRouting {
 public:
  ParallelRouting(const PacketRouting& routing, const Graph& graph) : routing_(routing), graph_(graph) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    return routing_.step(place, to, choice);
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    routing_.each_step(place, to, [&](RouteStep step) {
      for (const PortId p : parallel_ports(graph_, place.at, step.first)) {
        step.first = p;
        visit(step);
      }
    });
  }
  std::uint32_t lane_classes() const override { return routing_.lane_classes(); }
  bool single_path() const override { return false; }

 private:
  const PacketRouting& routing_;
  const Graph& graph_;
};

// Messages keep to the switches they pass with all links up. Of a trunk any link that is up will do, and so of parallel
// links, where that leaves no circle of buffers.
class FixedRoutes final : public FaultyRouting {
 public:
  FixedRoutes(const PacketRouting& routing, const Graph& graph, const LinkState& links)
      : routing_(routing),
        graph_(graph),
        links_(links),
        parallel_(routing.any_parallel_link() && has_parallel_links(graph) &&
                  (routing.acyclic_by_form() || find_deadlock(ParallelRouting(routing, graph), graph).empty())) {}
  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t choice) const override {
    RouteStep step = routing_.step(place, to, choice);
    for (std::uint32_t i = 0; i < step.count; ++i) {
      if (links_.up(place.at, static_cast<PortId>(step.first + i))) return step;
    }
    std::vector<PortId> left;
    std::size_t all = 0;
    if (parallel_) {
      left = parallel_ports(graph_, place.at, step.first);
      all = left.size();
      std::erase_if(left, [&](PortId p) { return !links_.up(place.at, p); });
    }
    if (left.empty()) {
      step.count = 0;
    } else {  // the destinations of a link that is down, every n-th of n, are spread over them
      step.first = left[to / all % left.size()];
    }
    return step;
  }
  void update() override {}

 private:
  const PacketRouting& routing_;
  const Graph& graph_;
  const LinkState& links_;
  const bool parallel_;
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

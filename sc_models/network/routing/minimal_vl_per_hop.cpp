#include "network/routing/minimal_vl_per_hop.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/diagnostics.h"
#include "network/routing/shortest_path.h"

namespace weft {
namespace {

// Routes of any network; one route for each pair of nodes.
class PerHopRouting final : public PacketRouting {
 public:
  PerHopRouting(const Graph& graph, std::unique_ptr<CircuitRouting> routes, std::uint32_t classes)
      : graph_(graph), routes_(std::move(routes)), classes_(classes) {}

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override {
    RouteStep step{routes_->next(place.at, to)};
    const bool first = graph_.node_at(place.at, place.in) != kNoId;
    const bool last = graph_.node_at(place.at, step.first) != kNoId;
    step.lane_class = static_cast<std::uint8_t>(first || last ? 0 : place.lane_class + 1);
    return step;
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  std::uint32_t lane_classes() const override { return classes_; }
  bool single_path() const override { return true; }
  bool any_parallel_link() const override { return true; }
  bool acyclic_by_form() const override { return true; }  // a higher class with each hop

 private:
  const Graph& graph_;
  std::unique_ptr<CircuitRouting> routes_;
  std::uint32_t classes_;
};

class DragonflyRouting final : public PacketRouting {
 public:
  explicit DragonflyRouting(const Graph& graph) : graph_(graph), shape_(graph.dragonfly()) {
    const std::size_t groups = shape_.groups;
    local_.assign(std::size_t{graph.switches()} * shape_.routers_per_group, kNoPort);
    std::vector<std::vector<PortRef>> global(groups * groups);
    for (SwitchId s = 0; s < graph.switches(); ++s) {
      for (PortId p = 0; p < graph.ports(s); ++p) {
        const SwitchId peer = graph.peer(s, p).sw;
        if (peer == kNoId) continue;
        if (shape_.group(peer) == shape_.group(s)) {
          local_port(s, peer) = p;
        } else {
          global[shape_.group(s) * groups + shape_.group(peer)].push_back({s, p});
        }
      }
    }
    for (const auto& links : global) {
      first_.push_back(static_cast<std::uint32_t>(links_.size()));
      links_.insert(links_.end(), links.begin(), links.end());
    }
    first_.push_back(static_cast<std::uint32_t>(links_.size()));
  }

  RouteStep step(const RoutePlace& place, NodeId to, std::uint32_t) const override {
    const PortRef goal = graph_.attachment(to);
    if (place.at == goal.sw) return {goal.port};
    const std::uint32_t here = shape_.group(place.at);
    const std::uint32_t there = shape_.group(goal.sw);
    if (here != there) {
      const std::size_t pair = std::size_t{here} * shape_.groups + there;
      const PortRef link = links_[first_[pair] + to % (first_[pair + 1] - first_[pair])];
      return {link.sw == place.at ? link.port : local_port(place.at, link.sw)};
    }
    const SwitchId from = graph_.peer(place.at, place.in).sw;
    const bool from_far = from != kNoId && shape_.group(from) != here;
    return {local_port(place.at, goal.sw), 1, static_cast<std::uint8_t>(from_far ? 1 : 0)};
  }
  void each_step(const RoutePlace& place, NodeId to,
                 const std::function<void(const RouteStep&)>& visit) const override {
    visit(step(place, to, 0));
  }
  std::uint32_t lane_classes() const override { return 2; }
  bool single_path() const override { return true; }
  bool any_parallel_link() const override { return true; }
  bool acyclic_by_form() const override { return true; }  // local, global, local of the second class

 private:
  PortId& local_port(SwitchId s, SwitchId to) {
    return local_[std::size_t{s} * shape_.routers_per_group + to % shape_.routers_per_group];
  }
  PortId local_port(SwitchId s, SwitchId to) const {
    return local_[std::size_t{s} * shape_.routers_per_group + to % shape_.routers_per_group];
  }

  const Graph& graph_;
  const DragonflyShape shape_;
  std::vector<PortId> local_;         // [switch, place in its group]: port to there
  std::vector<std::uint32_t> first_;  // [group, group]: first of the links between them
  std::vector<PortRef> links_;
};

// Links between switches on the longest route.
std::uint32_t longest_route(const Graph& graph) {
  std::vector<SwitchId> ends;
  for (NodeId n = 0; n < graph.nodes(); ++n) ends.push_back(graph.attachment(n).sw);
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::uint32_t longest = 0;
  for (const SwitchId goal : ends) {
    const std::vector<std::uint32_t> distance = distances_to(graph, goal);
    for (const SwitchId s : ends) longest = std::max(longest, distance[s]);
  }
  return longest;
}

std::unique_ptr<PacketRouting> make_per_hop(const PacketRoutingOptions& options, const Graph& graph) {
  if (graph.dragonfly().routers_per_group > 0) return std::make_unique<DragonflyRouting>(graph);
  const std::uint32_t classes = std::max(1U, longest_route(graph));
  if (classes > kMaxLaneClasses) {
    throw InputError(options.routing.where,
                     fmt::format("routing.algorithm: minimal_vl_per_hop needs {} VLs on {}, one per hop; there are {}; "
                                 "use up_down",
                                 classes, graph.name(), kMaxLaneClasses));
  }
  return std::make_unique<PerHopRouting>(graph, kShortestPath.circuits({}, graph), classes);
}

std::uint32_t per_hop_classes(const PacketRoutingOptions&, NetworkForm form) {
  return form == NetworkForm::dragonfly ? 2 : 0;
}

}  // namespace

constinit const RoutingAlgorithm kMinimalVlPerHop{
    .name = "minimal_vl_per_hop",
    .meaning =
        "shortest paths, with a VL per hop; on a dragonfly local - global - local, with a second VL after the "
        "global link",
    .packets = make_per_hop,
    .lane_classes = per_hop_classes,
    .why_classes = "one per hop",
};

}  // namespace weft

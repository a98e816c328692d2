#include "algorithms/jobs/occupancy.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::jobs {
namespace {

/// A link that two circuits of the flow would share, if there is one: they would share a slot on it.
std::optional<LinkId> shared_link(const Flow& flow) {
  if (flow.trees.size() < 2) return std::nullopt;
  std::vector<LinkId> links;
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) links.push_back(edge.link);
  }
  std::sort(links.begin(), links.end());
  const auto twice = std::adjacent_find(links.begin(), links.end());
  return twice == links.end() ? std::nullopt : std::optional<LinkId>(*twice);
}

}  // namespace

Occupancy::Occupancy(const PlacementRules& rules)
    : rules_(rules), free_(rules.graph->nodes()), free_count_(rules.graph->nodes()), luts_(*rules.graph, rules.slots) {
  free_.set();
}

bool Occupancy::make_flows(const Job& job, Placement& placement) {
  placement.flows.reserve(job.flows.size());
  std::vector<NodeId> destinations;
  for (const JobFlow& from : job.flows) {
    Flow flow;
    flow.name = from.id;
    flow.job = job.id;
    flow.slots = rules_.slots_per_flow;
    // The pairs of one source, in order of first appearance.
    std::vector<bool> done(from.pairs.size());
    for (std::size_t i = 0; i < from.pairs.size(); ++i) {
      if (done[i]) continue;
      destinations.clear();
      for (std::size_t k = i; k < from.pairs.size(); ++k) {
        if (from.pairs[k].first != from.pairs[i].first) continue;
        done[k] = true;
        destinations.push_back(placement.nodes[from.pairs[k].second]);
      }
      flow.trees.push_back(
          make_tree(*rules_.graph, *rules_.routing, placement.nodes[from.pairs[i].first], destinations));
    }
    if (const auto link = shared_link(flow)) {
      reason_ = fmt::format("two circuits of flow '{}' would share a slot on {}", flow.name,
                            rules_.graph->bundle_name(*link));
      return false;
    }
    placement.flows.push_back(std::move(flow));
  }
  return true;
}

bool Occupancy::allocate(const Job& job, Placement& placement) {
  placement.slots.resize(placement.flows.size());
  const auto misfit = first_fit(luts_, placement.flows, rules_.allocator->order(placement.flows), placement.slots,
                                static_cast<Slot>(job.queue));
  if (!misfit) return true;
  reason_ = fmt::format("flow '{}' finds no {} of {} slots free on every link of its route; {} has {} free",
                        placement.flows[misfit->flow].name, rules_.slots_per_flow, rules_.slots,
                        rules_.graph->bundle_name(misfit->link), misfit->free);
  for (std::size_t f = 0; f < placement.flows.size(); ++f) {
    if (!placement.slots[f].common.empty()) luts_.release(placement.flows[f], placement.slots[f]);
  }
  return false;
}

std::optional<Placement> Occupancy::place(const Job& job, Obstacle& obstacle) {
  obstacle = Obstacle::nodes;
  if (job.nodes > free_count_) return std::nullopt;
  const std::uint32_t draws = free_count_ == rules_.graph->nodes() ? rules_.node_policy->draws() : 1;
  Placement placement;
  for (std::uint32_t draw = 0;; ++draw) {
    if (draw == draws) return std::nullopt;
    auto nodes = rules_.node_policy->choose(free_, job, draw);
    if (!nodes) return std::nullopt;
    obstacle = Obstacle::slots;
    placement = {};
    placement.nodes = std::move(*nodes);
    if (make_flows(job, placement) && allocate(job, placement)) break;
  }
  for (const NodeId n : placement.nodes) free_.reset(n);
  free_count_ -= job.nodes;
  obstacle = Obstacle::none;
  return placement;
}

bool Occupancy::fits(const Job& job) {
  Obstacle obstacle = Obstacle::none;
  const auto placement = place(job, obstacle);
  if (placement) release(*placement);
  return placement.has_value();
}

Obstacle Occupancy::obstacle_now(const Job& job) {
  const bool nodes = job.nodes <= free_count_ && rules_.node_policy->choose(free_, job, 0).has_value();
  return nodes ? Obstacle::slots : Obstacle::nodes;
}

void Occupancy::reserve(const Placement& placement) {
  for (const NodeId n : placement.nodes) {
    if (!free_.test(n)) throw RunError(fmt::format("node {} would run two jobs", n));
    free_.reset(n);
  }
  free_count_ -= static_cast<std::uint32_t>(placement.nodes.size());
  for (std::size_t f = 0; f < placement.flows.size(); ++f) {
    FlowSlots slots = placement.slots[f];
    luts_.reserve(placement.flows[f], slots);
  }
}

void Occupancy::release(const Placement& placement) {
  for (const NodeId n : placement.nodes) {
    if (free_.test(n)) throw RunError(fmt::format("node {} is released but runs no job", n));
    free_.set(n);
  }
  free_count_ += static_cast<std::uint32_t>(placement.nodes.size());
  for (std::size_t f = 0; f < placement.flows.size(); ++f) luts_.release(placement.flows[f], placement.slots[f]);
}

}  // namespace weft::jobs

// The independent check of an allocation: it knows only the rules of allocation.h, nothing of LUTs or
// allocators.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "algorithms/slots/allocation.h"

namespace weft {
namespace {

class Checker {
 public:
  Checker(const Graph& graph, const std::vector<Flow>& flows, std::uint32_t slots)
      : graph_(graph), flows_(flows), slots_(slots), owner_(std::size_t{graph.link_count()} * slots, kNobody) {}

  void check_edge(std::size_t flow, std::size_t tree, std::size_t edge, const FlowSlots& slots) {
    const LinkId own = flows_[flow].trees[tree].edges[edge].link;
    const std::vector<Slot>& lanes = slots.lanes(tree, edge);
    if (lanes.size() != flows_[flow].slots) {
      fail(flow, own, fmt::format("has {} slots instead of {}", lanes.size(), flows_[flow].slots));
    }
    // In a bundle, two words in one cycle would lose their order.
    if (!graph_.bundle(own).empty() && std::set<Slot>(lanes.begin(), lanes.end()).size() != lanes.size()) {
      fail(flow, own, "uses a slot on two links of the bundle");
    }
    for (std::size_t k = 0; k < lanes.size(); ++k) {
      const Slot s = lanes[k];
      const LinkId link = slots.link(tree, edge, k, own);
      if (graph_.bundle_link(link) != own) fail(flow, link, "leaves its route");
      if (s >= slots_) fail(flow, link, fmt::format("uses slot {}, the frame has {}", s, slots_));
      std::uint32_t& owner = owner_[std::size_t{link} * slots_ + s];
      if (owner != kNobody) fail(flow, link, fmt::format("uses slot {}, which flow '{}' has", s, flows_[owner].name));
      owner = static_cast<std::uint32_t>(flow);
    }
  }

  [[noreturn]] void fail(std::size_t flow, LinkId link, const std::string& what) const {
    throw RunError(fmt::format("slot allocation is wrong: flow '{}' {} on link {}", flows_[flow].name, what,
                               graph_.link_name(link)));
  }

 private:
  static constexpr std::uint32_t kNobody = kNoId;
  const Graph& graph_;
  const std::vector<Flow>& flows_;
  std::size_t slots_;
  std::vector<std::uint32_t> owner_;  // per link and slot
};

/// Slots per link name every edge of every tree.
bool shape_fits(const Flow& flow, const FlowSlots& slots) {
  const auto fits = [&](const auto& by_edge) {
    bool all = by_edge.empty() || by_edge.size() == flow.trees.size();
    for (std::size_t t = 0; all && t < by_edge.size(); ++t) all = by_edge[t].size() == flow.trees[t].edges.size();
    return all;
  };
  if (!fits(slots.per_edge) || !fits(slots.links)) return false;
  for (const auto& tree : slots.links) {
    for (const auto& edge : tree) {
      if (!edge.empty() && edge.size() != flow.slots) return false;
    }
  }
  return true;
}

}  // namespace

void check_allocation(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options,
                      const Allocation& allocation) {
  if (allocation.flows.size() != flows.size()) {
    throw RunError(
        fmt::format("slot allocation is wrong: it has {} flows instead of {}", allocation.flows.size(), flows.size()));
  }
  Checker checker(graph, flows, options.slots);
  std::uint32_t used = 0;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const FlowSlots& slots = allocation.flows[f];
    if (!options.slot_update && !slots.per_edge.empty()) {
      throw RunError(
          fmt::format("slot allocation is wrong: flow '{}' has slots per link without slot_update", flows[f].name));
    }
    if (!shape_fits(flows[f], slots)) {
      throw RunError(
          fmt::format("slot allocation is wrong: flow '{}' has slots for other trees than its own", flows[f].name));
    }
    for (std::size_t t = 0; t < flows[f].trees.size(); ++t) {
      for (std::size_t e = 0; e < flows[f].trees[t].edges.size(); ++e) {
        checker.check_edge(f, t, e, slots);
        for (const Slot s : slots.lanes(t, e)) used = std::max<std::uint32_t>(used, s + 1u);
      }
    }
  }
  if (used != allocation.slots_used) {
    throw RunError(fmt::format("slot allocation is wrong: {} slots are used, it says {}", used, allocation.slots_used));
  }
}

}  // namespace weft

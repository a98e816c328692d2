// First fit with the same slot on every hop: the setup request of the FiC paper, section III.D, one flow
// after the other.

#include <algorithm>
#include <numeric>

#include "algorithms/slots/allocators.h"

namespace weft {
namespace {

std::size_t edge_count(const Flow& flow) {
  std::size_t edges = 0;
  for (const CircuitTree& tree : flow.trees) edges += tree.edges.size();
  return edges;
}

// The first `count` slots of a set that has as many, from slot `begin` on and then from 0.
SlotSet lowest(const SlotSet& of, std::uint32_t count, Slot begin) {
  SlotSet chosen(of.size());
  auto s = begin == 0 ? of.find_first() : of.find_next(begin - 1U);
  for (; count > 0; s = of.find_next(s), --count) {
    if (s == SlotSet::npos) s = of.find_first();
    chosen.set(s);
  }
  return chosen;
}

AllocationFailure explain(SlotLutBank& luts, const Flow& flow, std::size_t index) {
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) {
      const std::size_t free = luts.query_bundle(edge.link, luts.all()).count();
      if (free < flow.slots) return {index, edge.link, free};
    }
  }
  SlotSet vector = luts.all();
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) {
      vector = luts.query_bundle(edge.link, vector);
      if (vector.count() < flow.slots) return {index, edge.link, luts.query_bundle(edge.link, luts.all()).count()};
    }
  }
  return {index, kNoId, 0};  // unreachable: some link made the flow fail
}

}  // namespace

constinit const Allocator kFirstFit{
    .name = "first_fit",
    .meaning = "flows in the order given, each on the lowest slots that are free on all its links",
    .order = given_order,
};

extern const Allocator kLongestFirst;
constinit const Allocator kLongestFirst{
    .name = "longest_first",
    .meaning = "the same with the flows that use most links first",
    .order = longest_first_order,
};

std::vector<std::size_t> given_order(const std::vector<Flow>& flows) {
  std::vector<std::size_t> order(flows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  return order;
}

std::vector<std::size_t> longest_first_order(const std::vector<Flow>& flows) {
  std::vector<std::size_t> order = given_order(flows);
  std::vector<std::size_t> edges(flows.size());
  for (std::size_t f = 0; f < flows.size(); ++f) edges[f] = edge_count(flows[f]);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return edges[a] > edges[b]; });
  return order;
}

std::optional<AllocationFailure> first_fit(SlotLutBank& luts, const std::vector<Flow>& flows,
                                           const std::vector<std::size_t>& order, std::vector<FlowSlots>& flow_slots,
                                           Slot from) {
  for (const std::size_t f : order) {
    if (!flow_slots[f].common.empty()) continue;
    const SlotSet common = luts.query(flows[f]);
    if (common.count() < flows[f].slots) return explain(luts, flows[f], f);
    flow_slots[f].common = slot_list(lowest(common, flows[f].slots, from));
    luts.reserve(flows[f], flow_slots[f]);
  }
  return std::nullopt;
}

}  // namespace weft

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

SlotSet lowest(const SlotSet& from, std::uint32_t count) {
  SlotSet chosen(from.size());
  for (auto s = from.find_first(); count > 0; s = from.find_next(s), --count) chosen.set(s);
  return chosen;
}

AllocationFailure explain(SlotLutBank& luts, const Flow& flow, std::size_t index) {
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) {
      if (luts.free(edge.link).count() < flow.slots) return {index, edge.link, luts.free(edge.link).count()};
    }
  }
  SlotSet vector = luts.all();
  for (const CircuitTree& tree : flow.trees) {
    for (const TreeEdge& edge : tree.edges) {
      vector = luts.query(edge.link, std::move(vector));
      if (vector.count() < flow.slots) return {index, edge.link, luts.free(edge.link).count()};
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
                                           const std::vector<std::size_t>& order, std::vector<FlowSlots>& flow_slots) {
  for (const std::size_t f : order) {
    if (!flow_slots[f].common.empty()) continue;
    const SlotSet common = luts.query(flows[f]);
    if (common.count() < flows[f].slots) return explain(luts, flows[f], f);
    const SlotSet chosen = lowest(common, flows[f].slots);
    luts.reserve(flows[f], chosen);
    for (auto s = chosen.find_first(); s != SlotSet::npos; s = chosen.find_next(s)) {
      flow_slots[f].common.push_back(static_cast<Slot>(s));
    }
  }
  return std::nullopt;
}

}  // namespace weft

#include "algorithms/slots/allocation.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "algorithms/slots/allocators.h"
#include "algorithms/slots/coloring.h"

namespace weft {
namespace {

std::uint32_t slots_used(const std::vector<FlowSlots>& flows) {
  std::uint32_t used = 0;
  const auto count = [&used](const std::vector<Slot>& lanes) {
    for (const Slot s : lanes) used = std::max<std::uint32_t>(used, s + 1u);
  };
  for (const FlowSlots& flow : flows) {
    count(flow.common);
    for (const auto& tree : flow.per_edge) std::for_each(tree.begin(), tree.end(), count);
  }
  return used;
}

[[noreturn]] void throw_too_many() {
  throw InputError({}, fmt::format("the circuits need more than {} slots per frame", kLargestFrame));
}

/// Items in the order in which their flows are served; the lowest colour free for an item is the lowest slot free on
/// all its links.
Coloring serve_in_order(const ColoringProblem& problem, const std::vector<Flow>& flows, const Allocator& allocator) {
  std::vector<std::uint32_t> first(flows.size() + 1);  // flow -> its first item
  for (std::size_t f = 0; f < flows.size(); ++f) first[f + 1] = first[f] + flows[f].slots;
  std::vector<std::uint32_t> order;
  order.reserve(problem.items());
  for (const std::size_t f : allocator.order(flows)) {
    for (std::uint32_t item = first[f]; item < first[f + 1]; ++item) order.push_back(item);
  }
  return greedy_coloring(problem, order);
}

Coloring color(const ColoringProblem& problem, const std::vector<Flow>& flows, const AllocationOptions& options) {
  if (options.allocator->color != nullptr) return options.allocator->color(problem, options);
  return serve_in_order(problem, flows, *options.allocator);
}

/// Links of the units of a flow, from the unit with the lowest slot on.
LaneLinks in_order_of_slots(const LaneLinks& links, const std::vector<Slot>& slots) {
  std::vector<std::size_t> units(slots.size());
  std::iota(units.begin(), units.end(), std::size_t{0});
  std::sort(units.begin(), units.end(), [&](std::size_t a, std::size_t b) { return slots[a] < slots[b]; });
  LaneLinks out = links;
  for (std::size_t t = 0; t < links.size(); ++t) {
    for (std::size_t e = 0; e < links[t].size(); ++e) {
      for (std::size_t k = 0; k < links[t][e].size(); ++k) out[t][e][k] = links[t][e][units[k]];
    }
  }
  return out;
}

/// Slots per flow from a colouring of the items, ascending.
std::vector<FlowSlots> color_flows(const Graph& graph, const std::vector<Flow>& flows,
                                   const AllocationOptions& options) {
  const std::vector<LaneLinks> links = spread_over_bundles(graph, flows);
  const ColoringProblem problem = make_coloring_problem(graph.link_count(), flows, links);
  const Coloring coloring = color(problem, flows, options);
  if (color_count(coloring) > kLargestFrame) throw_too_many();
  std::vector<FlowSlots> slots(flows.size());
  for (std::size_t i = 0; i < problem.items(); ++i) {
    slots[problem.item_flow[i]].common.push_back(static_cast<Slot>(coloring[i]));
  }
  for (std::size_t f = 0; f < flows.size(); ++f) {
    if (!links.empty()) slots[f].links = in_order_of_slots(links[f], slots[f].common);
    std::sort(slots[f].common.begin(), slots[f].common.end());
  }
  return slots;
}

// The lowest slot that is free does not depend on how many there are, as soon as there are enough.
std::vector<FlowSlots> serve_unbounded(const Graph& graph, const std::vector<Flow>& flows,
                                       const std::vector<std::size_t>& order) {
  for (std::uint32_t frame = std::max(1U, minimum_slots(graph, flows).slots); frame <= kLargestFrame;) {
    SlotLutBank luts(graph, frame);
    std::vector<FlowSlots> slots(flows.size());
    if (!first_fit(luts, flows, order, slots)) return slots;
    frame = frame == kLargestFrame ? kLargestFrame + 1 : std::min(2 * frame, kLargestFrame);
  }
  throw_too_many();
}

// With bundles a colouring has chosen the links before the slots: serving the flows in turn, which chooses them
// afterwards, may need fewer.
std::vector<FlowSlots> color_or_serve(const Graph& graph, const std::vector<Flow>& flows,
                                      const AllocationOptions& options) {
  if (!graph.has_bundles()) return color_flows(graph, flows, options);
  if (options.allocator->color == nullptr) return serve_unbounded(graph, flows, options.allocator->order(flows));
  std::vector<FlowSlots> best = color_flows(graph, flows, options);
  for (const auto order : {given_order, longest_first_order}) {
    if (slots_used(best) <= minimum_slots(graph, flows).slots) break;
    std::vector<FlowSlots> served = serve_unbounded(graph, flows, order(flows));
    if (slots_used(served) < slots_used(best)) best = std::move(served);
  }
  return best;
}

// In a bundle a circuit needs different slot numbers, so N may be too few for circuits of several.
std::uint32_t least_frame_with_update(const Graph& graph, const std::vector<Flow>& flows,
                                      const AllocationOptions& options) {
  std::uint32_t frame = minimum_slots(graph, flows).slots;
  if (!graph.has_bundles()) return frame;
  for (;; ++frame) {
    SlotLutBank luts(graph, frame);
    std::vector<FlowSlots> slots(flows.size());
    if (!soonest_fit(luts, flows, options.allocator->order(flows), options, true, slots)) return frame;
    if (frame == kLargestFrame) throw_too_many();
  }
}

[[noreturn]] void throw_misfit(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options,
                               const AllocationFailure& misfit) {
  const Flow& flow = flows[misfit.flow];
  const std::uint32_t enough = options.slot_update ? least_frame_with_update(graph, flows, options)
                                                   : allocate_unbounded(graph, flows, options).slots_used;
  const std::string wanted =
      flow.slots == 1 ? "no slot is" : fmt::format("it asks for {} slots, but fewer are", flow.slots);
  std::string place = graph.bundle_name(misfit.link) + " ";
  if (misfit.free == 0) {
    place += fmt::format("is full ({0} of {0} slots in use)", options.slots);
  } else {
    place += fmt::format("has only {} of {} slots free", misfit.free, options.slots);
    if (misfit.free >= flow.slots) {
      place += fmt::format(", {} that the links before it have free too", flow.slots == 1 ? "none" : "too few");
    }
  }
  throw InputError(flow.where, fmt::format("{}: {} free on every link of its route: {}; {} slots per frame would do",
                                           flow_text(flow), wanted, place, enough));
}

void check_options(const AllocationOptions& options) {
  if (options.slots == 0 || options.slots > kLargestFrame) {
    throw InputError({}, fmt::format("a frame has 1 to {} slots, not {}", kLargestFrame, options.slots));
  }
}

}  // namespace

extern const Allocator kLongestFirst, kDsatur, kSearch;

SlotAllocators& slot_allocators() {
  static SlotAllocators table{&kFirstFit, &kLongestFirst, &kDsatur, &kSearch};
  return table;
}

Allocation allocate(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options) {
  check_options(options);
  SlotLutBank luts(graph, options.slots);
  Allocation result;
  result.flows.resize(flows.size());
  if (!options.slot_update && options.allocator->color != nullptr) {
    std::vector<FlowSlots> colored = color_or_serve(graph, flows, options);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (colored[f].common.empty() || colored[f].common.back() >= options.slots) continue;
      luts.reserve(flows[f], colored[f]);
      result.flows[f] = std::move(colored[f]);
    }
  }
  // Serves all flows, or those whose colours lie beyond the frame: they may still fit by chance, and if not,
  // this says where and why.
  const std::vector<std::size_t> order = options.allocator->order(flows);
  const std::optional<AllocationFailure> misfit =
      options.slot_update ? soonest_fit(luts, flows, order, options, graph.has_bundles(), result.flows)
                          : first_fit(luts, flows, order, result.flows);
  if (misfit) throw_misfit(graph, flows, options, *misfit);
  result.slots_used = slots_used(result.flows);
  return result;
}

Allocation allocate_unbounded(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options) {
  Allocation result;
  result.flows = color_or_serve(graph, flows, options);
  result.slots_used = slots_used(result.flows);
  return result;
}

}  // namespace weft

#include "algorithms/slots/allocation.h"

#include <fmt/format.h>

#include <algorithm>

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

/// Slots per flow from a colouring of the items, ascending.
std::vector<FlowSlots> color_flows(const Graph& graph, const std::vector<Flow>& flows,
                                   const AllocationOptions& options) {
  const ColoringProblem problem = make_coloring_problem(graph.link_count(), flows);
  const Coloring coloring = color(problem, flows, options);
  if (color_count(coloring) > kLargestFrame) throw_too_many();
  std::vector<FlowSlots> slots(flows.size());
  for (std::size_t i = 0; i < problem.items(); ++i) {
    slots[problem.item_flow[i]].common.push_back(static_cast<Slot>(coloring[i]));
  }
  for (FlowSlots& s : slots) std::sort(s.common.begin(), s.common.end());
  return slots;
}

[[noreturn]] void throw_misfit(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options,
                               const AllocationFailure& misfit) {
  const Flow& flow = flows[misfit.flow];
  const std::uint32_t enough =
      options.slot_update ? minimum_slots(graph, flows).slots : allocate_unbounded(graph, flows, options).slots_used;
  const std::string wanted =
      flow.slots == 1 ? "no slot is" : fmt::format("it asks for {} slots, but fewer are", flow.slots);
  std::string place = fmt::format("link {} ", graph.link_name(misfit.link));
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
    std::vector<FlowSlots> colored = color_flows(graph, flows, options);
    for (std::size_t f = 0; f < flows.size(); ++f) {
      if (colored[f].common.empty() || colored[f].common.back() >= options.slots) continue;
      luts.reserve(flows[f], make_slot_set(options.slots, colored[f].common));
      result.flows[f] = std::move(colored[f]);
    }
  }
  // Serves all flows, or those whose colours lie beyond the frame: they may still fit by chance, and if not,
  // this says where and why.
  const std::vector<std::size_t> order = options.allocator->order(flows);
  const std::optional<AllocationFailure> misfit = options.slot_update
                                                      ? soonest_fit(luts, flows, order, options, result.flows)
                                                      : first_fit(luts, flows, order, result.flows);
  if (misfit) throw_misfit(graph, flows, options, *misfit);
  result.slots_used = slots_used(result.flows);
  return result;
}

Allocation allocate_unbounded(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options) {
  Allocation result;
  result.flows = color_flows(graph, flows, options);
  result.slots_used = slots_used(result.flows);
  return result;
}

}  // namespace weft

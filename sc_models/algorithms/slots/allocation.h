#pragma once
// Slot allocation: which slots every flow uses on every link.
//
// Same slot on every hop (default): all links of a flow use the same set of m slots. This is colouring of the
// flows, where flows that share a directed link (host links included) may not share a colour.
//
// slot_update: every switch may map a lane to another slot, so each link only needs m free slots; the
// allocation takes, link by link, the free slots that come soonest after the data arrives, which shortens the
// way through the switch. dsatur and search then serve the flows as longest_first does.
//
// Bundles (network/graph.h): a slot of a circuit takes any link of a bundle that has it free. The circuit keeps one
// slot number per lane, so its words stay in order; only the port changes. first_fit and longest_first look for the
// slots first and then take the lowest links; dsatur and search give the circuits the links of a bundle in turn and
// colour them then.
//
// Allocators, all deterministic. A new one is a file and a line in allocation.cpp, where it is declared and listed:
//   first_fit      flows in the order given, lowest common free slots, found by ANDing the slot LUT vectors
//                  along the tree
//   longest_first  the same with the flows that use most links first
//   dsatur         the flow with the fewest slots left first (Brelaz 1979), ties by the number of conflicts
//   search         these, then iterated greedy and tabu colouring (Hertz, de Werra 1987), until the minimum
//                  number of slots is reached or the iterations are used up

#include <vector>

#include "algorithms/slots/allocation_options.h"
#include "algorithms/slots/flow.h"
#include "algorithms/slots/slot_set.h"
#include "base/records.h"

namespace weft {

using SlotAllocators = Records<Allocator>;
/// Allocators that configurations can name, from the simplest to the one that searches.
SlotAllocators& slot_allocators();

struct Allocation {
  std::vector<FlowSlots> flows;  ///< same order as the input
  std::uint32_t slots_used = 0;  ///< highest slot number + 1
};

/// Throws InputError when options.slots is not 1..kLargestFrame, or when a flow does not fit: at the flow's
/// location, naming the flow, the first link of its route that is full (or, if no single link is full, the
/// link that left no common slot), S, and how many slots per frame would do with this allocator.
Allocation allocate(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options);

/// Colours the flows in as few slots as the allocator finds, without a limit on the frame (same slot on every
/// hop).
Allocation allocate_unbounded(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options);

/// Independent check used in tests and in every run: no slot of a directed link has two owners, every tree
/// edge has m distinct slots below S, on links of its bundle, same-slot mode uses one set on all edges. Throws RunError
/// naming what is wrong.
void check_allocation(const Graph& graph, const std::vector<Flow>& flows, const AllocationOptions& options,
                      const Allocation& allocation);

}  // namespace weft
